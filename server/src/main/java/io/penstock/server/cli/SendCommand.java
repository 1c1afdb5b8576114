package io.penstock.server.cli;

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
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Posts one event. */
@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    description = {
      "Posts one event. A payload that is JSON is sent on byte for byte; anything else needs",
      "--content-type. When the command ends well, the event is committed."
    },
    footer = {
      "",
      "Examples:",
      "  penstock send --tenant acme --type order.paid '{\"order\": 17}'",
      "  penstock send --type order.paid --key order-17 @payload.json",
      "  penstock send --tenant acme --type report.ready --content-type text/csv @report.csv"
    })
final class SendCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description = "Whose event it is; not needed when the key is bound to one tenant.")
  @Nullable String tenant;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      required = true,
      description = "What happened, for instance order.paid.")
  String type = "";

  @Option(
      names = "--destination",
      paramLabel = "ID",
      description = "Send it there (may be repeated); default: to all that subscribe to the type.")
  List<String> destinations = new ArrayList<>();

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
      names = "--urgency",
      paramLabel = "WORD",
      defaultValue = "interactive",
      description = "interactive or batch (default: interactive).")
  String urgency = "";

  @Option(
      names = "--content-type",
      paramLabel = "TYPE",
      description = "Media type of the payload (default: application/json).")
  @Nullable String contentType;

  @Parameters(
      paramLabel = "PAYLOAD",
      description = "The payload, or @FILE, or @- for what comes in.")
  String payload = "";

  @Override
  public Integer call() {
    byte[] envelope = envelope(bytes());
    return api.run(client -> client.post("/v1/events", envelope, Map.of()), SendCommand::rendered);
  }

  private byte[] envelope(byte[] bytes) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (tenant != null) {
      fields.put("tenant", tenant);
    }
    fields.put("type", type);
    fields.put("urgency", urgency);
    if (key != null) {
      fields.put("idempotency_key", key);
    }
    if (item != null) {
      fields.put("item", item);
    }
    if (!destinations.isEmpty()) {
      fields.put("destinations", destinations);
    }
    if (contentType != null) {
      fields.put("content_type", contentType);
      fields.put("payload_base64", Base64.getEncoder().encodeToString(bytes));
      return Json.write(fields);
    }
    return withRawPayload(Json.text(fields), bytes);
  }

  /** The payload's own bytes, so that what arrives is what was typed. */
  private static byte[] withRawPayload(String fields, byte[] bytes) {
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

  private byte[] bytes() {
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
    return "event %s committed, %s"
        .formatted(
            answer.path("event_id").asString(""),
            deliveries.isEmpty()
                ? "but nothing subscribes to its type: it goes nowhere"
                : "to be delivered to\n" + deliveries);
  }
}
