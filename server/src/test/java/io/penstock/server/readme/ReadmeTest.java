package io.penstock.server.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.cli.PenstockCommand;
import io.penstock.server.limits.LimitsReader;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import io.penstock.server.testing.TestingApi;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what the README tells a newcomer to type. */
@PostgresTest
class ReadmeTest {
  private static final int PATIENCE_SECONDS = 20;
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  private static String sample(String name) throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    Matcher block =
        Pattern.compile("<!-- " + name + " -->\\s*```\\w+\\n(.*?)```", Pattern.DOTALL)
            .matcher(readme);
    assertThat(block.find()).as("the README has a sample %s", name).isTrue();
    return block.group(1);
  }

  /** Types the lines of a sample and returns what was printed. */
  private static String type(String name, TestingApi api, Path keyFile, Receiver receiver)
      throws IOException {
    StringWriter out = new StringWriter();
    for (String line : sample(name).lines().toList()) {
      List<String> words = words(line.replace("http://127.0.0.1:9000/", receiver.url()));
      assertThat(words.removeFirst()).isEqualTo("./penstock");
      words.addAll(List.of("--url", api.url().toString(), "--key-file", keyFile.toString()));
      StringWriter err = new StringWriter();
      int code =
          PenstockCommand.commandLine()
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(err))
              .execute(words.toArray(String[]::new));
      assertThat(code).as("%s: %s", line, err).isZero();
    }
    return out.toString();
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      String quoted = word.group(1) != null ? word.group(1) : word.group(2);
      words.add(quoted != null ? quoted : word.group(3));
    }
    return words;
  }

  @Test
  void theFirstFiveMinutesAreAsTheyAreTold(TestDatabase database, @TempDir Path folder)
      throws IOException, InterruptedException {
    BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
    try (TestingApi api =
            TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
        Receiver receiver =
            new Receiver(
                0,
                (_, body) -> {
                  String text = new String(body, StandardCharsets.UTF_8);
                  arrived.add(text);
                  return Reply.of(text.contains("18") ? 503 : 204);
                })) {
      Path keyFile = Files.writeString(folder.resolve("key"), api.adminKey());
      String first = type("first-delivery", api, keyFile, receiver);
      assertThat(first).contains("tenant acme made").contains("destination orders made");
      assertThat(arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("{\"order\": 17}");
      assertThat(type("second-delivery", api, keyFile, receiver)).contains("orders is flowing");
      assertThat(arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("{\"order\": 18}");
      assertThat(type("pause", api, keyFile, receiver))
          .contains("orders is paused; 1 waits behind it")
          .containsPattern(
              "The destination is paused since \\S+ by key:ps_\\S+ \\(receiver is down\\)")
          .contains("orders is flowing")
          .contains("paused by key:", ": receiver is down", "resumed by key:");
      posts(api, sample("curl"));
      assertThat(arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("{\"order\": 19}");
    }
  }

  private static void posts(TestingApi api, String curl) {
    Matcher body = Pattern.compile("-d '(.*)'").matcher(curl);
    assertThat(body.find()).isTrue();
    Matcher key = Pattern.compile("Idempotency-Key: ([^\"]+)").matcher(curl);
    assertThat(key.find()).isTrue();
    var answered =
        api.call(
            "POST",
            "/v1/events",
            api.adminKey(),
            body.group(1),
            Map.of("Idempotency-Key", key.group(1)));
    assertThat(answered.status()).isEqualTo(202);
  }

  @Test
  void theLimitsOfTheReadmeAreAccepted() throws IOException {
    LimitsDocument limits = LimitsReader.read("limits.yaml", sample("limits"));
    assertThat(limits.of("dst_04aa7").budget().slots()).isEqualTo(64);
  }
}
