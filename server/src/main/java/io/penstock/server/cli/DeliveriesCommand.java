package io.penstock.server.cli;

import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.client.Table;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists deliveries, shows one, and moves single ones. */
@Command(
    name = "deliveries",
    mixinStandardHelpOptions = true,
    description = {
      "Lists deliveries, newest first; or shows one with its attempts; or redrives, sends again or",
      "cancels one."
    },
    footer = {
      "",
      "Examples:",
      "  penstock deliveries --destination dst_1 --state dead",
      "  penstock deliveries dst_1 0199c0de-0000-7000-8000-000000000000",
      "  penstock deliveries dst_1 0199c0de-0000-7000-8000-000000000000 --redrive --reason mended"
    })
final class DeliveriesCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DESTINATION",
      description = "With EVENT: show this one.")
  @Nullable String destination;

  @Parameters(index = "1", arity = "0..1", paramLabel = "EVENT", description = "The event's id.")
  @Nullable String event;

  @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
  @Nullable String tenant;

  @Option(names = "--destination", paramLabel = "ID", description = "Only for this destination.")
  @Nullable String onlyDestination;

  @Option(names = "--event", paramLabel = "ID", description = "Only of this event.")
  @Nullable String onlyEvent;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only in this state: pending, retrying, leased, delivered, dead, cancelled, paused, held"
              + " or disabled.")
  @Nullable String state;

  @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
  @Nullable Integer limit;

  @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
  @Nullable String cursor;

  @Option(names = "--redrive", description = "Send this dead one again, with fresh attempts.")
  boolean redrive;

  @Option(names = "--send-again", description = "Send this delivered one a second time.")
  boolean sendAgain;

  @Option(names = "--cancel", description = "Never send this one.")
  boolean cancel;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the audit.")
  String reason = "";

  @Override
  public Integer call() {
    if (destination == null) {
      return api.run(client -> client.get("/v1/deliveries" + query()), DeliveriesCommand::list);
    }
    if (event == null) {
      throw new CommandException(
          ExitCode.USAGE,
          "to show one, name DESTINATION and EVENT; to list a destination's, --destination %s"
              .formatted(destination));
    }
    String one = "/v1/deliveries/%s/%s".formatted(encoded(destination), encoded(event));
    String verb = verb();
    return verb.isEmpty()
        ? api.run(client -> client.get(one), DeliveriesCommand::detail)
        : api.run(
            client -> client.post(one + "/" + verb, Map.of("reason", reason)),
            DeliveriesCommand::moved);
  }

  private String verb() {
    List<String> verbs = new ArrayList<>();
    if (redrive) {
      verbs.add("redrive");
    }
    if (sendAgain) {
      verbs.add("send-again");
    }
    if (cancel) {
      verbs.add("cancel");
    }
    if (verbs.size() > 1) {
      throw new CommandException(
          ExitCode.USAGE, "wanted one of --redrive, --send-again, --cancel; got several");
    }
    return verbs.isEmpty() ? "" : verbs.getFirst();
  }

  private String query() {
    List<String> parts = new ArrayList<>();
    add(parts, "tenant", tenant);
    add(parts, "destination", onlyDestination);
    add(parts, "event", onlyEvent);
    add(parts, "state", state);
    add(parts, "cursor", cursor);
    add(parts, "limit", limit == null ? null : limit.toString());
    return parts.isEmpty() ? "" : "?" + String.join("&", parts);
  }

  private static void add(List<String> parts, String name, @Nullable String value) {
    if (value != null) {
      parts.add(name + "=" + encoded(value));
    }
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A page of deliveries as a table. */
  static String list(JsonNode page) {
    Table table =
        new Table(
            "ACCEPTED",
            "EVENT",
            "DESTINATION",
            "STATE",
            "LANE",
            "ATTEMPTS",
            "LAST",
            "REASON",
            "NEXT OR END");
    for (JsonNode item : page.path("items")) {
      table.row(
          Times.seconds(item.path("age_from").asString("")),
          item.path("event_id").asString(""),
          item.path("destination_id").asString(""),
          item.path("state").asString(""),
          item.path("lane").asString(""),
          item.path("attempts").asString(""),
          item.path("last_status").asString("-"),
          item.path("reason").asString("-"),
          nextOrEnd(item));
    }
    return (table.isEmpty() ? "No deliveries." : table.toString()) + Listing.more(page);
  }

  /** When it ended; until when somebody works on it; else from when on it may go. */
  private static String nextOrEnd(JsonNode item) {
    if (item.has("ended_at")) {
      return "ended " + Times.seconds(item.path("ended_at").asString(""));
    }
    return item.has("leased_until")
        ? "leased until %s by %s"
            .formatted(
                Times.seconds(item.path("leased_until").asString("")),
                item.path("leased_by").asString("-"))
        : "due " + Times.seconds(item.path("not_before").asString(""));
  }

  private static String detail(JsonNode detail) {
    JsonNode delivery = detail.path("delivery");
    Table table = new Table("WHEN", "OUTCOME", "DETAIL", "STATUS", "MS", "ADDRESS");
    for (JsonNode attempt : detail.path("attempts")) {
      table.row(
          attempt.path("started_at").asString(""),
          attempt.path("outcome").asString(""),
          attempt.path("detail").asString(""),
          attempt.path("status").asString(""),
          attempt.path("took_ms").asString(""),
          attempt.path("resolved_address").asString("-"));
    }
    return "%s\n%s".formatted(moved(delivery), table.isEmpty() ? "No attempts yet." : table);
  }

  private static String moved(JsonNode delivery) {
    return "event %s for %s is %s%s, %s attempts spent"
        .formatted(
            delivery.path("event_id").asString(""),
            delivery.path("destination_id").asString(""),
            delivery.path("state").asString(""),
            delivery.has("reason") ? " (" + delivery.path("reason").asString("") + ")" : "",
            delivery.path("attempts").asString("0"));
  }
}
