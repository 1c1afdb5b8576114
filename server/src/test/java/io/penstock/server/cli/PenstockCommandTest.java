package io.penstock.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.client.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class PenstockCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return PenstockCommand.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }

  static Stream<String> commands() {
    return names(PenstockCommand.commandLine(), "");
  }

  private static Stream<String> names(CommandLine line, String prefix) {
    return line.getSubcommands().entrySet().stream()
        .filter(e -> !e.getKey().equals("help"))
        .flatMap(e ->
            Stream.concat(
                Stream.of(prefix + e.getKey()), names(e.getValue(), prefix + e.getKey() + " ")));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandExplainsItselfAndItsExitCodes(String command) {
    assertThat(run((command + " --help").split(" "))).isEqualTo(ExitCode.OK.code());
    assertThat(out.toString())
        .contains("Usage: penstock " + command)
        .contains("Exit codes:")
        .contains("3   the server refused");
    CommandLine at = PenstockCommand.commandLine();
    for (String word : command.split(" ", -1)) {
      at = Objects.requireNonNull(at.getSubcommands().get(word));
    }
    assertThat(at.getCommandSpec().usageMessage().header()).isNotEmpty();
    at.getCommandSpec()
        .options()
        .forEach(option -> assertThat(option.description()).as(option.longestName()).isNotEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "sned, 2, send",
    "send --tpye x y, 2, --type",
    "send --type t {not, 2, the payload is not JSON",
    "send --type t 1, 2, PENSTOCK_API_KEY",
    "serve --limits /nowhere/limits.yaml --embedded, 5, no file",
    "serve --set nod.slots=1, 5, did you mean node.slots?",
    "serve --config /nowhere.yaml, 5, no file",
    "demo --for 30, 2, a number with ms",
    "listen --status 7, 2, 200 to 599",
    "deliveries dst_1, 2, --destination dst_1",
    "pause dst_1, 2, --reason",
    "pause --reason x, 2, --all",
    "pause dst_1 --all --reason x, 2, mutually exclusive",
    "disable --all --reason x, 2, this would disable everything",
    "resume --all --reason x, 2, wanted --yes",
    "disable --all --yes --reason x, 2, PENSTOCK_API_KEY",
    "disable dst_1 --reason x, 2, PENSTOCK_API_KEY",
    "next, 2, --tenant",
    "schedule rebuild, 2, --reason",
    "limits check /nowhere.yaml, 2, no file",
    "limits aply f, 2, apply",
    "limits apply f, 2, --reason",
  })
  void aMistakeIsToldWithWhatWasWanted(String line, int code, String told) {
    assertThat(run(line.split(" "))).isEqualTo(code);
    assertThat(err.toString()).contains(told);
  }

  @Test
  void aFaultyLimitsFileIsToldWithoutAServer(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("l.yaml"), "defaults:\n  burst: 0\n");
    assertThat(run("limits", "check", file.toString())).isEqualTo(5);
    assertThat(err.toString())
        .contains("l.yaml:2:10: defaults.burst: got 0, wanted 1 to 1,000,000");
    assertThat(run("limits", "check", "--json", file.toString())).isEqualTo(5);
    assertThat(out.toString()).contains("\"ok\":false").contains("defaults.burst: got 0");
  }

  @Test
  void theSampleOfLimitsIsWell(@TempDir Path folder) throws IOException {
    assertThat(run("limits", "sample")).isEqualTo(0);
    Path file = Files.writeString(folder.resolve("l.yaml"), out.toString());
    assertThat(run("limits", "check", file.toString())).isEqualTo(0);
    assertThat(out.toString()).contains("is well: limits of 3 destinations");
  }

  @Test
  void theVersionIsTheBuilds() {
    assertThat(run("version", "--json")).isEqualTo(0);
    assertThat(out.toString()).contains("\"version\":\"").doesNotContain("${");
  }

  @Test
  void settingsAreShownWithTheirSources() {
    int code = run("config", "show", "--embedded", "--listen", "127.0.0.1:7");
    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(out.toString()).containsPattern("listen +127.0.0.1:7 +flag").contains("default");
  }
}
