package io.penstock.server.cli;

import io.penstock.server.client.ApiClient;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** What every command that speaks to a server has in common. */
final class ApiOptions {
  private static final String KEY_VARIABLE = "PENSTOCK_API_KEY";

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:PENSTOCK_URL:-http://127.0.0.1:8420}",
      description = "The server (default: PENSTOCK_URL, or http://127.0.0.1:8420).")
  String url = "";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "A file that holds the API key (default: PENSTOCK_API_KEY, or the file that"
              + " PENSTOCK_API_KEY_FILE names). A key is never a flag: others see those.")
  @Nullable Path keyFile;

  @Option(names = "--json", description = "Print the server's answer as one line of JSON.")
  boolean json;

  @Spec(Spec.Target.MIXEE)
  @Nullable CommandSpec spec;

  /** Asks the server and prints its answer: as it is, or as people read it. */
  int run(Function<ApiClient, JsonNode> ask, Function<JsonNode, String> render) {
    try (ApiClient client = new ApiClient(base(), key(System.getenv()))) {
      JsonNode answer = ask.apply(client);
      print(json ? Json.text(answer) : render.apply(answer));
      return ExitCode.OK.code();
    }
  }

  /** Asks the server as often as it takes; what it prints is the task's own affair. */
  int each(Consumer<ApiClient> task) {
    try (ApiClient client = new ApiClient(base(), key(System.getenv()))) {
      task.accept(client);
      return ExitCode.OK.code();
    }
  }

  void print(String text) {
    var out = Output.of(spec);
    out.println(text);
    out.flush();
  }

  private URI base() {
    try {
      URI base = URI.create(url.endsWith("/") ? url : url + "/");
      if (base.getHost() != null && base.getScheme() != null) {
        return base;
      }
    } catch (IllegalArgumentException e) {
      // Told below, as any other text that is no URL.
    }
    throw new CommandException(
        ExitCode.USAGE, "--url: wanted http://host:port, got %s".formatted(url));
  }

  private String key(Map<String, String> environment) {
    String direct = environment.get(KEY_VARIABLE);
    String fileVariable = environment.get(KEY_VARIABLE + "_FILE");
    Path file = keyFile != null ? keyFile : fileVariable == null ? null : Path.of(fileVariable);
    if (file != null) {
      try {
        return Files.readString(file).strip();
      } catch (IOException e) {
        throw new CommandException(
            ExitCode.USAGE, "the key file %s cannot be read: %s".formatted(file, e));
      }
    }
    if (direct == null || direct.isBlank()) {
      throw new CommandException(
          ExitCode.USAGE,
          "no API key: set %s (penstock dev prints one at its start), or say --key-file"
              .formatted(KEY_VARIABLE));
    }
    return direct.strip();
  }
}
