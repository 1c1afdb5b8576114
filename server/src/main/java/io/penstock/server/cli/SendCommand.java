package io.penstock.server.cli;

import io.penstock.server.client.ApiClient;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.json.Json;
import io.penstock.server.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Posts one event, or one about each of many items. */
@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    description = {
      "Posts one event, or with --items one about each line of a file. A payload that is JSON is sent",
      "on byte for byte; anything else needs --content-type. When the command ends well, the events",
      "are committed."
    },
    footer = {
      "",
      "Examples:",
      "  penstock send --tenant acme --type order.paid '{\"order\": 17}'",
      "  penstock send --type order.paid --key order-17 @payload.json",
      "  penstock send --type page --destination crawl --item page/1 --fresh-for 6h '{}'",
      "  penstock send --tenant acme --type report.ready --content-type text/csv @report.csv",
      "  penstock send --tenant acme --type page.due --items pages.txt --over 6h --key crawl-7 '{}'"
    })
final class SendCommand implements Callable<Integer> {
  /** Below every server's least bound of a batch but a strange one's. */
  private static final int BATCH_ITEMS = 500;

  private static final int BATCH_CHARS = 1 << 20;

  @Mixin ApiOptions api = new ApiOptions();

  @Mixin EventOptions event = new EventOptions();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Idempotency key: the same key with the same bytes is taken once.")
  @Nullable String key;

  @Option(
      names = "--item",
      paramLabel = "TEXT",
      description = "What it is about, for instance the page that a job fetches.")
  @Nullable String item;

  @Option(
      names = "--fresh-for",
      paramLabel = "TIME",
      description = {
        "Do not send it to a tube where the --item had a complete run within this time,",
        "for instance 6h."
      })
  @Nullable String freshFor;

  @Option(
      names = "--requires",
      paramLabel = "NAME",
      description = "An artifact that the run must have brought (may be repeated).")
  List<String> requires = new ArrayList<>();

  @Option(
      names = "--items",
      paramLabel = "FILE",
      description =
          "Post one event about each line of this file, all with the same payload; with --key the"
              + " number of its line goes behind the key.")
  @Nullable Path items;

  @Option(
      names = "--over",
      paramLabel = "TIME",
      description =
          "Spread them over this window, 1s to 7d, for instance 6h: the same item comes at the same"
              + " place of it each time.")
  @Nullable String over;

  @Override
  public Integer call() {
    byte[] bytes = bytes(event.payload);
    if (items == null && over == null) {
      byte[] envelope = envelope(bytes, item, key);
      return api.run(
          client -> client.post("/v1/events", envelope, Map.of()), SendCommand::rendered);
    }
    List<String> envelopes = new ArrayList<>();
    if (items == null) {
      envelopes.add(new String(envelope(bytes, item, key), StandardCharsets.UTF_8));
    }
    for (String line : items == null ? List.<String>of() : lines(items)) {
      String its = key == null ? null : key + "/" + (envelopes.size() + 1);
      envelopes.add(new String(envelope(bytes, line, its), StandardCharsets.UTF_8));
    }
    return api.run(client -> postAll(client, envelopes), SendCommand::summed);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the items %s cannot be read".formatted(file), e);
    }
  }

  /** In as many batches as it takes. What was posted before a failure stays posted. */
  private JsonNode postAll(ApiClient client, List<String> envelopes) {
    long accepted = 0;
    long refused = 0;
    long suppressed = 0;
    String problem = "";
    for (int from = 0; from < envelopes.size(); ) {
      int to = from;
      for (int chars = 0;
          to < envelopes.size() && to - from < BATCH_ITEMS && chars < BATCH_CHARS; ) {
        chars += envelopes.get(to++).length();
      }
      String window = over == null ? "" : "\"over\":" + Json.text(over) + ",";
      String body =
          "{%s\"events\":[%s]}".formatted(window, String.join(",", envelopes.subList(from, to)));
      JsonNode answer =
          client.post("/v1/events/batch", body.getBytes(StandardCharsets.UTF_8), Map.of());
      accepted += answer.path("accepted").asLong(0);
      refused += answer.path("refused").asLong(0);
      for (JsonNode one : answer.path("items")) {
        String its = one.path("problem").path("detail").asString("");
        problem = problem.isEmpty() ? its : problem;
        suppressed += one.path("suppressed").isEmpty() ? 0 : 1;
      }
      from = to;
    }
    Map<String, Object> sum = new LinkedHashMap<>();
    sum.put("accepted", accepted);
    sum.put("refused", refused);
    if (freshFor != null) {
      sum.put("suppressed", suppressed);
    }
    if (!problem.isEmpty()) {
      sum.put("first_problem", problem);
    }
    return Json.tree(Json.text(sum));
  }

  private static String summed(JsonNode sum) {
    return "%,d events committed, %,d refused%s%s"
        .formatted(
            sum.path("accepted").asLong(0),
            sum.path("refused").asLong(0),
            sum.has("suppressed")
                ? ", %,d not sent where they are fresh".formatted(sum.path("suppressed").asLong(0))
                : "",
            sum.has("first_problem") ? ": " + sum.path("first_problem").asString("") : "");
  }

  private byte[] envelope(byte[] bytes, @Nullable String about, @Nullable String idempotencyKey) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (idempotencyKey != null) {
      fields.put("idempotency_key", idempotencyKey);
    }
    if (about != null) {
      fields.put("item", about);
    }
    if (freshFor != null) {
      fields.put("fresh_for", freshFor);
    }
    if (!requires.isEmpty()) {
      fields.put("requires", requires);
    }
    return event.envelope(bytes, fields);
  }

  /** The payload's own bytes, so that what arrives is what was typed. */
  static byte[] withRawPayload(String fields, byte[] bytes) {
    try {
      Json.skim(bytes);
    } catch (ProblemException e) {
      throw new CommandException(
          ExitCode.USAGE,
          "the payload is not JSON (%s); say --content-type for other payloads"
              .formatted(e.detail()));
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    String open = fields.substring(0, fields.length() - 1);
    return (open + ",\"payload\":" + text.strip() + "}").getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes that an argument means. */
  static byte[] bytes(String payload) {
    if (!payload.startsWith("@")) {
      return payload.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return payload.equals("@-")
          ? System.in.readAllBytes()
          : Files.readAllBytes(Path.of(payload.substring(1)));
    } catch (IOException e) {
      throw new UncheckedIOException("the payload %s cannot be read".formatted(payload), e);
    }
  }

  private static String rendered(JsonNode answer) {
    String deliveries =
        answer.path("deliveries").values().stream()
            .map(d ->
                "  %s  %s%s"
                    .formatted(
                        d.path("destination_id").asString(""),
                        d.path("state").asString(""),
                        d.has("reason") ? " (" + d.path("reason").asString("") + ")" : ""))
            .collect(Collectors.joining("\n"));
    String suppressed =
        answer.path("suppressed").values().stream()
            .map(SendCommand::suppressed)
            .collect(Collectors.joining());
    String nowhere =
        suppressed.isEmpty()
            ? "but nothing subscribes to its type: it goes nowhere"
            : "and goes nowhere: its item is fresh";
    return "event %s committed, %s%s"
        .formatted(
            answer.path("event_id").asString(""),
            deliveries.isEmpty() ? nowhere : "to be delivered to\n" + deliveries,
            suppressed);
  }

  private static String suppressed(JsonNode one) {
    JsonNode run = one.path("run");
    List<String> artifacts =
        run.path("artifacts").values().stream().map(name -> name.asString("")).toList();
    return "\n  not to %s: job %s completed the item at %s%s"
        .formatted(
            one.path("destination_id").asString(""),
            run.path("job").asString(""),
            run.path("completed_at").asString(""),
            artifacts.isEmpty() ? "" : " with " + String.join(", ", artifacts));
  }
}
