package io.penstock.server.cli;

import io.penstock.server.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The event that a command sends, now or later. */
final class EventOptions {
  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description = "Whose event it is; not needed when the key is bound to one tenant.")
  @Nullable String tenant;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      required = true,
      description = "What happened or is due, for instance order.paid.")
  String type = "";

  @Option(
      names = "--destination",
      paramLabel = "ID",
      description = "Send it there (may be repeated); default: to all that subscribe to the type.")
  List<String> destinations = new ArrayList<>();

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

  /** The event as JSON, with the payload's own bytes. */
  byte[] envelope() {
    return envelope(SendCommand.bytes(payload), Map.of());
  }

  /** The same with other fields too, and a payload that was read before. */
  byte[] envelope(byte[] bytes, Map<String, Object> more) {
    Map<String, Object> fields = new LinkedHashMap<>(more);
    if (tenant != null) {
      fields.put("tenant", tenant);
    }
    fields.put("type", type);
    fields.put("urgency", urgency);
    if (!destinations.isEmpty()) {
      fields.put("destinations", destinations);
    }
    if (contentType != null) {
      fields.put("content_type", contentType);
      fields.put("payload_base64", Base64.getEncoder().encodeToString(bytes));
      return Json.write(fields);
    }
    return SendCommand.withRawPayload(Json.text(fields), bytes);
  }

  /** An object of these fields and one more, whose bytes are JSON already. */
  static byte[] within(Map<String, Object> fields, String name, byte[] json) {
    String text = Json.text(fields);
    String open = text.substring(0, text.length() - 1);
    return "%s%s\"%s\":%s}"
        .formatted(
            open, fields.isEmpty() ? "" : ",", name, new String(json, StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_8);
  }
}
