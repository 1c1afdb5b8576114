package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Makes, shows and steers schedules. */
@Command(
    name = "schedules",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules are recurring orders to send an event: at intervals, or at local times of a zone.",
      "They are kept in the ledger, and each of their instants sends one event, whatever nodes",
      "crash or race. (What a node remembers of when destinations have something to do is another",
      "matter: see penstock schedule rebuild.)"
    },
    synopsisSubcommandLabel = "(create | list | show | firings | pause | resume | delete)",
    footer = {
      "",
      "Examples:",
      "  penstock schedules create --every 15m --tenant acme --type sync.due '{\"full\": false}'",
      "  penstock schedules create --cron \"30 6 * * mon-fri\" --zone Europe/Berlin \\",
      "    --tenant acme --type report.due --missed once --catch-up 2h '{}'",
      "  penstock schedules create --every 1d --over 6h --item page-1 --item page-2 \\",
      "    --tenant acme --type crawl.due --destination crawl --urgency batch '{}'",
      "  penstock schedules show sch_5f0c2a91d3e47b60 --next 10",
      "  penstock schedules pause sch_5f0c2a91d3e47b60 --reason \"their database is down\""
    })
final class SchedulesCommand {

  /** When it comes, and what is made up. */
  static final class WhenOptions {
    @Option(names = "--id", paramLabel = "ID", description = "Default: the server makes one.")
    @Nullable String id;

    @Option(
        names = "--every",
        paramLabel = "TIME",
        description = "An interval, for instance 90s, 15m, 6h or 1d.")
    @Nullable String every;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description =
            "With --every: the first instant, for instance 2026-11-30T12:00:00Z (default: a stable"
                + " place within the interval, so that many schedules do not come together).")
    @Nullable String from;

    @Option(
        names = "--cron",
        paramLabel = "EXPR",
        description =
            "Local times: minute, hour, day of month, month, day of week, for instance"
                + " \"30 6 * * mon-fri\".")
    @Nullable String cron;

    @Option(
        names = "--zone",
        paramLabel = "ZONE",
        description = "With --cron: whose local time, for instance Europe/Berlin or UTC.")
    @Nullable String zone;

    @Option(
        names = "--on-gap",
        paramLabel = "WORD",
        description =
            "With --cron: a local time that the clock was set forward over comes after the gap"
                + " (after) or not at all (skip). Default: after for set hours, skip for every"
                + " hour.")
    @Nullable String onGap;

    @Option(
        names = "--on-repeat",
        paramLabel = "WORD",
        description =
            "With --cron: a local time that exists twice comes first, second or both. Default:"
                + " first for set hours, both for every hour.")
    @Nullable String onRepeat;

    @Option(
        names = "--catch-up",
        paramLabel = "TIME",
        description =
            "After an outage, what is older than this is skipped and counted (default: 1h).")
    @Nullable String catchUp;

    @Option(
        names = "--missed",
        paramLabel = "WORD",
        description =
            "Of what was missed within --catch-up, the newest is made up (once) or each"
                + " (default: once).")
    @Nullable String missed;

    @Option(
        names = "--item",
        paramLabel = "TEXT",
        description =
            "What it is about (may be repeated, up to 500): each instant sends one event for each.")
    List<String> items = new ArrayList<>();

    @Option(
        names = "--over",
        paramLabel = "TIME",
        description =
            "With --item: spread each instant's events over this window, 1s to 7d; the same item"
                + " comes at the same place of it each time.")
    @Nullable String over;

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      put(fields, "id", id);
      put(fields, "every", every);
      put(fields, "from", from);
      put(fields, "cron", cron);
      put(fields, "zone", zone);
      put(fields, "on_gap", onGap);
      put(fields, "on_repeat", onRepeat);
      Map<String, Object> inner = new LinkedHashMap<>();
      put(inner, "within", catchUp);
      put(inner, "missed", missed);
      put(fields, "over", over);
      put(fields, "items", items.isEmpty() ? null : items);
      put(fields, "catch_up", inner.isEmpty() ? null : inner);
      return fields;
    }

    private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
      if (value != null) {
        fields.put(name, value);
      }
    }
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Makes a schedule: when it comes (--every, or --cron with --zone), and the event that it",
        "sends. The idempotency key of each event is schedule/ID/INSTANT."
      },
      footer = {
        "",
        "Example:",
        "  penstock schedules create --cron \"0 3 * * *\" --zone America/New_York \\",
        "    --tenant acme --type backup.due --destination backups --urgency batch '{}'"
      })
  int create(
      @Mixin ApiOptions api,
      @Mixin WhenOptions when,
      @Mixin EventOptions event,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the audit.")
          @Nullable String reason) {
    Map<String, Object> fields = when.fields();
    if (reason != null) {
      fields.put("reason", reason);
    }
    byte[] body = EventOptions.within(fields, "event", event.envelope());
    return api.run(
        client -> client.post("/v1/schedules", body, Map.of()), SchedulesCommand::detail);
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists schedules, by id.",
      footer = {"", "Example:", "  penstock schedules list --tenant acme"})
  int list(
      @Mixin ApiOptions api,
      @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
          @Nullable String tenant,
      @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
          @Nullable Integer limit,
      @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
          @Nullable String cursor) {
    Query query = new Query().add("tenant", tenant).add("limit", limit).add("cursor", cursor);
    return api.run(
        client -> client.get("/v1/schedules" + query),
        page -> {
          Table table =
              new Table("SCHEDULE", "TENANT", "STATE", "WHEN", "EVENT", "NEXT", "FIRED", "SKIPPED");
          page.path("items").forEach(one -> table.row(cells(one)));
          return table.isEmpty() ? "No schedules." : table + Listing.more(page);
        });
  }

  private static String[] cells(JsonNode one) {
    JsonNode counts = one.path("counts");
    return new String[] {
      one.path("id").asString(""),
      one.path("tenant_id").asString(""),
      one.path("state").asString(""),
      when(one),
      one.path("event").path("type").asString(""),
      one.path("next_at").asString("-"),
      "%,d".formatted(counts.path("fired").asLong(0)),
      "%,d".formatted(counts.path("too_old").asLong(0) + counts.path("merged").asLong(0))
    };
  }

  private static String when(JsonNode one) {
    return one.has("every")
        ? "every " + one.path("every").asString("")
        : one.path("cron").asString("") + " " + one.path("zone").asString("");
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows a schedule, and when it comes next.",
      footer = {"", "Example:", "  penstock schedules show sch_5f0c2a91d3e47b60 --next 20"})
  int show(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "The schedule.") String id,
      @Option(
              names = "--next",
              paramLabel = "N",
              defaultValue = "5",
              description = "How many of the next instants, 0 to 100 (default: 5).")
          int next) {
    return api.run(
        client -> client.get(path(id) + new Query().add("next", next)), SchedulesCommand::detail);
  }

  private static String path(String id) {
    return "/v1/schedules/" + DeliveriesCommand.encoded(id);
  }

  private static String detail(JsonNode one) {
    JsonNode counts = one.path("counts");
    JsonNode last = one.path("last");
    Table table = new Table("SCHEDULE", one.path("id").asString(""));
    table.row("tenant", one.path("tenant_id").asString(""));
    table.row("state", one.path("state").asString(""));
    table.row("when", when(one));
    if (one.has("cron")) {
      table.row(
          "clock changes",
          "lost times: %s; repeated times: %s"
              .formatted(one.path("on_gap").asString(""), one.path("on_repeat").asString("")));
    }
    table.row(
        "after an outage",
        "%s of the last %s"
            .formatted(
                one.path("catch_up").path("missed").asString("").equals("each")
                    ? "each"
                    : "the newest",
                one.path("catch_up").path("within").asString("")));
    table.row(
        "event",
        "%s, %,d bytes, to %s"
            .formatted(
                one.path("event").path("type").asString(""),
                one.path("event").path("size").asLong(0),
                destinations(one.path("event").path("destinations"))));
    if (one.has("items")) {
      table.row(
          "items",
          "%,d%s"
              .formatted(
                  one.path("items").size(),
                  one.has("over") ? ", over " + one.path("over").asString("") : ""));
    }
    table.row(
        "so far",
        "%,d fired, %,d refused, %,d too old, %,d merged into a newer one"
            .formatted(
                counts.path("fired").asLong(0),
                counts.path("refused").asLong(0),
                counts.path("too_old").asLong(0),
                counts.path("merged").asLong(0)));
    if (!last.isMissingNode()) {
      table.row("last", String.join("  ", firing(last)));
    }
    for (JsonNode next : one.path("next")) {
      table.row(
          "next",
          next.path("at").asString("")
              + (next.has("local") ? "  (" + next.path("local").asString("") + ")" : ""));
    }
    table.row(
        "made",
        "%s by %s%s"
            .formatted(
                one.path("created_at").asString(""),
                one.path("created_by").asString(""),
                one.path("reason").asString("").isEmpty()
                    ? ""
                    : ": " + one.path("reason").asString("")));
    return table.toString();
  }

  private static String destinations(JsonNode ids) {
    List<String> all = new ArrayList<>();
    ids.forEach(id -> all.add(id.asString("")));
    return all.isEmpty() ? "all that subscribe" : String.join(", ", all);
  }

  private static String[] firing(JsonNode one) {
    return new String[] {
      one.path("at").asString(""),
      Times.length(one.path("late_ms").asLong(0)) + " late",
      one.has("problem")
          ? "refused: " + one.path("problem").asString("")
          : "event " + one.path("event_id").asString("")
    };
  }

  @Command(
      name = "firings",
      mixinStandardHelpOptions = true,
      description = "Lists the instants of a schedule that came, newest first; of three days.",
      footer = {"", "Example:", "  penstock schedules firings sch_5f0c2a91d3e47b60"})
  int firings(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "The schedule.") String id,
      @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
          @Nullable Integer limit,
      @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
          @Nullable String cursor) {
    Query query = new Query().add("limit", limit).add("cursor", cursor);
    return api.run(
        client -> client.get(path(id) + "/firings" + query),
        page -> {
          Table table = new Table("INSTANT", "LATE", "EVENT");
          page.path("items").forEach(one -> table.row(firing(one)));
          return table.isEmpty() ? "None has come." : table + Listing.more(page);
        });
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Sends nothing more until it is resumed.")
  int pause(@Mixin ApiOptions api, @Mixin SteerOptions one) {
    return steer(api, one, "pause");
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description =
          "Goes on with a paused one, from now on: what it would have sent is not made up.")
  int resume(@Mixin ApiOptions api, @Mixin SteerOptions one) {
    return steer(api, one, "resume");
  }

  private static int steer(ApiOptions api, SteerOptions one, String verb) {
    return api.run(
        client -> client.post(path(one.id) + "/" + verb, Map.of("reason", one.reason)),
        SchedulesCommand::detail);
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes a schedule for good. What it has sent goes its way.")
  int delete(@Mixin ApiOptions api, @Mixin SteerOptions one) {
    return api.run(
        client -> client.post(path(one.id) + "/delete", Map.of("reason", one.reason)),
        answer -> "schedule %s deleted".formatted(answer.path("deleted").asString("")));
  }
}
