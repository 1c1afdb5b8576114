package io.penstock.server.cli;

import io.penstock.postgres.EventIds;
import io.penstock.server.client.Table;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Looks at the shelf. */
@Command(
    name = "shelf",
    mixinStandardHelpOptions = true,
    description = {
      "Looks at the shelf: what ended without success, why, and what may help. Begin with groups:",
      "they count it by cause."
    },
    synopsisSubcommandLabel = "(groups | ls | show | export)",
    footer = {
      "",
      "Examples:",
      "  penstock shelf groups --tenant acme",
      "  penstock shelf ls --destination orders --reason rejected --since 2h",
      "  penstock shelf show 1204",
      "  penstock shelf export --tenant acme --payloads > acme.jsonl"
    })
final class ShelfCommand {
  private static final int DEFAULT_LIMIT = 50;
  private static final int EXPORT_PAGE = 250;

  /** Which dead letters. */
  static final class FilterOptions {
    @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
    @Nullable String tenant;

    @Option(names = "--destination", paramLabel = "ID", description = "Only for this destination.")
    @Nullable String destination;

    @Option(
        names = "--reason",
        paramLabel = "REASON",
        description =
            "Only with this reason: exhausted, expired, rejected, unauthorised, gone,"
                + " outcome_unknown, forbidden_header, body_too_large, destination_disabled,"
                + " destination_deleted or backlog_full.")
    @Nullable String reason;

    @Option(
        names = "--outcome",
        paramLabel = "OUTCOME",
        description = "Only with this last outcome, for instance transient, unknown or rejected.")
    @Nullable String outcome;

    @Option(
        names = "--status",
        paramLabel = "N",
        description = "Only with this last HTTP status; 0 = without any.")
    @Nullable Integer status;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only of this type of event.")
    @Nullable String type;

    @Option(
        names = "--since",
        paramLabel = "TIME",
        description = "Only what came at this time or later: 2h (ago) or 2026-11-30T12:00:00Z.")
    @Nullable String since;

    @Option(
        names = "--until",
        paramLabel = "TIME",
        description = "Only what came before this time.")
    @Nullable String until;

    @Option(
        names = "--show",
        paramLabel = "WHICH",
        description =
            "What lies there now (shelf, the default), what was released since (released), or all.")
    @Nullable String show;

    Query query() {
      return new Query()
          .add("tenant", tenant)
          .add("destination", destination)
          .add("reason", reason)
          .add("outcome", outcome)
          .add("status", status)
          .add("type", type)
          .add("since", since)
          .add("until", until)
          .add("show", show);
    }
  }

  @Command(
      name = "ls",
      mixinStandardHelpOptions = true,
      description = "Lists dead letters, newest first.")
  int ls(
      @Mixin ApiOptions api,
      @Mixin FilterOptions filter,
      @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
          @Nullable Integer limit,
      @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
          @Nullable String cursor) {
    int wanted = limit == null ? DEFAULT_LIMIT : limit;
    return api.run(
        client ->
            Listing.filled(
                client,
                wanted,
                cursor,
                (at, most) -> "/v1/shelf" + filter.query().add("cursor", at).add("limit", most)),
        ShelfCommand::list);
  }

  private static String list(JsonNode page) {
    Table table =
        new Table("NUMBER", "CAME", "DESTINATION", "EVENT", "TYPE", "REASON", "LAST", "ATTEMPTS");
    for (JsonNode item : page.path("items")) {
      table.row(
          item.path("number").asString(""),
          seconds(item.path("last_seen")),
          item.path("destination_id").asString(""),
          item.path("event_id").asString(""),
          item.path("type").asString("-"),
          item.path("reason").asString("")
              + (item.path("on_shelf").asBoolean(true) ? "" : " (released)"),
          item.path("last_status").asString("-"),
          item.path("attempts").asString(""));
    }
    return (table.isEmpty() ? "Nothing on the shelf for this question." : table.toString())
        + Listing.more(page);
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = {
        "Shows one dead letter: when it came, why, what the receiver said, what may help, and every",
        "attempt."
      })
  int show(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "NUMBER", description = "As shelf ls and shelf groups show it.")
          long number) {
    return api.run(client -> client.get("/v1/dead-letters/" + number), ShelfCommand::detail);
  }

  private static String detail(JsonNode detail) {
    JsonNode letter = detail.path("dead_letter");
    StringBuilder out = new StringBuilder();
    line(out, "dead letter", letter.path("number").asString(""));
    line(out, "event", letter.path("event_id").asString(""));
    line(out, "type", letter.path("type").asString("-"));
    line(out, "tenant", letter.path("tenant_id").asString(""));
    line(out, "destination", letter.path("destination_id").asString(""));
    Instant accepted =
        EventIds.time(UUID.fromString(letter.path("event_id").asString("")))
            .truncatedTo(ChronoUnit.SECONDS);
    String from = seconds(letter.path("first_seen"));
    line(out, "accepted", accepted.toString());
    if (!from.equals(accepted.toString())) { // released from here before, or due later
      line(out, "in line from", from);
    }
    line(out, "came here", seconds(letter.path("last_seen")));
    line(out, "reason", letter.path("reason").asString(""));
    line(out, "means", detail.at("/remedy/means").asString(""));
    line(out, "what next", detail.at("/remedy/next").asString(""));
    line(out, "last status", letter.path("last_status").asString("-"));
    line(out, "answer", shown(letter.path("response_head").asString("-")));
    line(out, "payload", payload(detail.path("payload")));
    line(
        out,
        "now",
        letter.path("on_shelf").asBoolean(true)
            ? "on the shelf"
            : "released; its delivery is " + detail.path("state").asString("no longer kept"));
    Table table = new Table("WHEN", "OUTCOME", "DETAIL", "STATUS", "MS");
    for (JsonNode attempt : detail.path("attempts")) {
      table.row(
          seconds(attempt.path("started_at")),
          attempt.path("outcome").asString(""),
          attempt.path("detail").asString(""),
          attempt.path("status").asString(""),
          attempt.path("took_ms").asString(""));
    }
    return out
        + "\n"
        + (table.isEmpty()
            ? "No attempts: none was made, or they are no longer kept."
            : table.toString());
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append("%-12s %s%n".formatted(name, value));
  }

  private static String payload(JsonNode payload) {
    return payload.path("kept").asBoolean(false)
        ? "%s bytes at %s"
            .formatted(payload.path("bytes").asString(""), payload.path("path").asString(""))
        : "no longer kept";
  }

  /** A stranger's text on one line, without anything that a terminal would obey. */
  static String shown(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}\\p{Cf}]+", " ").strip();
    int most = 200;
    return plain.length() > most ? plain.substring(0, most) + "…" : plain.isEmpty() ? "-" : plain;
  }

  @Command(
      name = "groups",
      mixinStandardHelpOptions = true,
      description = "Counts the shelf by cause, biggest first, and says what may help.")
  int groups(
      @Mixin ApiOptions api,
      @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
          @Nullable String tenant,
      @Option(
              names = "--destination",
              paramLabel = "ID",
              description = "Only for this destination.")
          @Nullable String destination,
      @Option(
              names = "--reason",
              paramLabel = "REASON",
              description = "Only with this reason, for instance rejected or exhausted.")
          @Nullable String reason,
      @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
          @Nullable Integer limit,
      @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
          @Nullable String cursor) {
    Query query =
        new Query()
            .add("tenant", tenant)
            .add("destination", destination)
            .add("reason", reason)
            .add("cursor", cursor)
            .add("limit", limit);
    return api.run(client -> client.get("/v1/shelf/groups" + query), ShelfCommand::groups);
  }

  private static String groups(JsonNode page) {
    Table table =
        new Table("COUNT", "DESTINATION", "REASON", "LAST", "ANSWER", "FIRST", "LATEST", "EXAMPLE");
    Map<String, JsonNode> remedies = new LinkedHashMap<>();
    for (JsonNode item : page.path("items")) {
      String reason = item.path("reason").asString("");
      remedies.putIfAbsent(reason, item.path("remedy"));
      table.row(
          item.path("count").asString(""),
          item.path("destination_id").asString(""),
          reason,
          item.path("last_status").asString("-"),
          shown(item.path("phrase").asString("-")),
          seconds(item.path("first_at")),
          seconds(item.path("last_at")),
          item.path("example").asString(""));
    }
    if (table.isEmpty()) {
      return "The shelf is empty for this question.";
    }
    StringBuilder out = new StringBuilder(table.toString());
    remedies.forEach((reason, remedy) ->
        out.append(
            "\n\n%s: %s\n  %s"
                .formatted(
                    reason, remedy.path("means").asString(""), remedy.path("next").asString(""))));
    if (page.has("counted_at")) {
      out.append("\n\nCounted at ").append(seconds(page.path("counted_at"))).append('.');
    }
    return out + Listing.more(page);
  }

  @Command(
      name = "export",
      mixinStandardHelpOptions = true,
      description = {
        "Writes dead letters as JSON lines, newest first, page after page. With --payloads each has",
        "its event's bytes in base64."
      })
  int export(
      @Mixin ApiOptions api,
      @Mixin FilterOptions filter,
      @Option(names = "--payloads", description = "With the bytes of the events.")
          boolean payloads) {
    return Listing.lines(
        api,
        cursor ->
            "/v1/shelf/export"
                + filter
                    .query()
                    .add("payloads", payloads)
                    .add("cursor", cursor)
                    .add("limit", EXPORT_PAGE));
  }

  /** A time without its fractions. */
  static String seconds(JsonNode time) {
    return time.asString("-").replaceFirst("\\.[0-9]+Z$", "Z");
  }
}
