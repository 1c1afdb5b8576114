package io.penstock.server.cli;

import io.penstock.server.client.ApiClient;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.client.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Plans, starts and steers redrives. */
@Command(
    name = "redrive",
    mixinStandardHelpOptions = true,
    description = {
      "Releases dead letters in a controlled way: at a rate, behind fresh events, after a canary,",
      "and with an end when too much fails again. Start with a plan."
    },
    synopsisSubcommandLabel = "(plan | start | list | status | pause | resume | cancel)",
    footer = {
      "",
      "Examples:",
      "  penstock redrive plan --destination dst_1 --of-reason rejected --status 400",
      "  penstock redrive start --destination dst_1 --rate 600 --canary 20 --reason \"fixed in 4.2\"",
      "  penstock redrive status rdr_5f0c2a91d3e47b60 --follow",
      "  penstock redrive pause rdr_5f0c2a91d3e47b60 --reason \"their database is slow\""
    })
final class RedriveCommand {
  /** Between two looks of {@code --follow}. */
  private static final int FOLLOW_SECONDS = 1;

  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description = {
        "Counts what a redrive would release, shows the oldest, and says how long it takes at",
        "least. Changes nothing."
      },
      footer = {
        "",
        "Example:",
        "  penstock redrive plan --tenant acme --died-from 2026-11-30T08:00:00Z --rate 600"
      })
  int plan(@Mixin ApiOptions api, @Mixin RedriveOptions what) {
    Map<String, Object> body = what.body();
    return api.run(client -> client.post("/v1/redrives/plan", body), RedriveCommand::planned);
  }

  private static String planned(JsonNode answer) {
    List<String> lines = new ArrayList<>();
    for (JsonNode plan : answer.path("items")) {
      lines.add(
          "%s (tenant %s): %s%,d messages would be released%s"
              .formatted(
                  plan.path("destination_id").asString(""),
                  plan.path("tenant_id").asString(""),
                  plan.path("exact").asBoolean(true) ? "" : "at least ",
                  plan.path("matched").asLong(0),
                  plan.has("estimated_seconds")
                      ? ", which takes at least "
                          + Durations.words(plan.path("estimated_seconds").asLong(0))
                      : ""));
      lines.add("  " + settings(plan.path("settings")));
      Table table = new Table("NO", "EVENT", "REASON", "OUTCOME", "STATUS", "DIED");
      for (JsonNode one : plan.path("sample")) {
        table.row(
            one.path("dead_letter_no").asString(""),
            one.path("event_id").asString(""),
            one.path("reason").asString(""),
            one.path("outcome").asString("-"),
            one.path("last_status").asString("-"),
            one.path("died_at").asString(""));
      }
      if (!table.isEmpty()) {
        table.toString().lines().forEach(line -> lines.add("  " + line));
      }
    }
    return lines.isEmpty() ? "Nothing matches." : String.join(System.lineSeparator(), lines);
  }

  private static String settings(JsonNode settings) {
    int rate = settings.path("rate_per_minute").asInt(0);
    JsonNode canary = settings.path("canary");
    JsonNode abort = settings.path("abort");
    return "%s, while fewer than %,d are ready; %s; %s"
        .formatted(
            rate == 0 ? "at the destination's own budget" : "%,d a minute".formatted(rate),
            settings.path("low_watermark").asInt(0),
            canary.path("first").asInt(0) == 0
                ? "no canary"
                : "a canary of %,d, on at %d %%"
                    .formatted(canary.path("first").asInt(0), canary.path("percent").asInt(0)),
            abort.path("percent").asInt(0) == 100
                ? "never ends itself"
                : "ends itself when more than %d %% of %,d or more fail again"
                    .formatted(abort.path("percent").asInt(0), abort.path("after").asInt(0)));
  }

  @Command(
      name = "start",
      mixinStandardHelpOptions = true,
      description = {
        "Starts a redrive of what lies on the shelf now. It goes on by itself, whatever becomes of",
        "this program or of the server that answers; what dies again is not taken again."
      },
      footer = {
        "",
        "Example:",
        "  penstock redrive start --destination dst_1 --status 500 --rate 600 --reason \"up again\""
      })
  int start(
      @Mixin ApiOptions api,
      @Mixin RedriveOptions what,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              required = true,
              description = "Why, for the audit.")
          String reason) {
    Map<String, Object> body = what.body();
    body.put("reason", reason);
    return api.run(client -> client.post("/v1/redrives", body), RedriveCommand::started);
  }

  private static String started(JsonNode answer) {
    List<String> lines = new ArrayList<>();
    for (JsonNode one : answer.path("items")) {
      String id = one.path("id").asString("");
      lines.add("redrive %s of %s started".formatted(id, one.path("destination_id").asString("")));
      lines.add("  " + settings(one.path("settings")));
      lines.add("  penstock redrive status %s --follow".formatted(id));
    }
    for (JsonNode one : answer.path("not_started")) {
      lines.add("not started: " + one.path("why").asString(""));
    }
    return lines.isEmpty() ? "Nothing lies there." : String.join(System.lineSeparator(), lines);
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists redrives, newest first.",
      footer = {"", "Example:", "  penstock redrive list --active"})
  int list(
      @Mixin ApiOptions api,
      @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
          @Nullable String tenant,
      @Option(names = "--destination", paramLabel = "ID", description = "Only of this destination.")
          @Nullable String destination,
      @Option(names = "--active", description = "Only those that have not ended.") boolean active,
      @Option(names = "--limit", paramLabel = "N", description = "1 to 250 (default: 50).")
          @Nullable Integer limit,
      @Option(names = "--cursor", paramLabel = "TEXT", description = "Go on from an earlier page.")
          @Nullable String cursor) {
    StringBuilder query = new StringBuilder("?limit=" + (limit == null ? 50 : limit));
    append(query, "tenant", tenant);
    append(query, "destination", destination);
    append(query, "active", active ? "true" : null);
    append(query, "cursor", cursor);
    return api.run(
        client -> client.get("/v1/redrives" + query),
        page -> {
          Table table =
              new Table("REDRIVE", "DESTINATION", "STATE", "DONE", "DELIVERED", "FAILED", "NOW");
          page.path("items").forEach(one -> table.row(cells(one)));
          return table.isEmpty() ? "No redrives." : table.toString();
        });
  }

  private static void append(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      query.append('&').append(name).append('=').append(DeliveriesCommand.encoded(value));
    }
  }

  private static String[] cells(JsonNode one) {
    JsonNode counts = one.path("counts");
    return new String[] {
      one.path("id").asString(""),
      one.path("destination_id").asString(""),
      one.path("state").asString(""),
      done(one),
      counts.path("delivered").asString("0"),
      Long.toString(counts.path("dead").asLong(0) + counts.path("retrying").asLong(0)),
      one.path("explanation").asString("")
    };
  }

  /** For instance {@code 1,200 of 5,000}. */
  private static String done(JsonNode one) {
    JsonNode counts = one.path("counts");
    long done = counts.path("released").asLong(0) + counts.path("skipped").asLong(0);
    return one.has("matched")
        ? "%,d of %,d".formatted(done, one.path("matched").asLong(0))
        : "%,d of (counting)".formatted(done);
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = {
        "Shows a redrive: what it does now and why, and what became of its messages. With --follow",
        "it shows it every second until it has released all, or ended."
      },
      footer = {"", "Example:", "  penstock redrive status rdr_5f0c2a91d3e47b60 --follow --json"})
  int status(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "The redrive.") String id,
      @Option(names = "--follow", description = "Go on until it has ended.") boolean follow) {
    String path = "/v1/redrives/" + DeliveriesCommand.encoded(id);
    if (!follow) {
      return api.run(client -> client.get(path), RedriveCommand::detail);
    }
    return api.run(client -> followed(client, api, path), RedriveCommand::detail);
  }

  /** Tells each look in a line of its own, and returns the last for the whole picture. */
  private static JsonNode followed(ApiClient client, ApiOptions api, String path) {
    while (true) {
      JsonNode now = client.get(path);
      String state = now.path("state").asString("");
      if (state.equals("completed") || state.equals("cancelled") || state.equals("aborted")) {
        return now;
      }
      api.print(api.json ? now.toString() : line(now));
      rest();
    }
  }

  private static void rest() {
    try {
      if (new CountDownLatch(1).await(FOLLOW_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody counts this down");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitCode.FAILED, "interrupted");
    }
  }

  private static String line(JsonNode one) {
    JsonNode counts = one.path("counts");
    return "%-9s %s released, %,d delivered, %,d failed, %,d waiting; %s"
        .formatted(
            one.path("state").asString(""),
            done(one),
            counts.path("delivered").asLong(0),
            counts.path("dead").asLong(0) + counts.path("retrying").asLong(0),
            counts.path("waiting").asLong(0),
            one.path("explanation").asString(""));
  }

  private static String detail(JsonNode one) {
    JsonNode counts = one.path("counts");
    Table table = new Table("REDRIVE", one.path("id").asString(""));
    table.row("destination", one.path("destination_id").asString(""));
    table.row("tenant", one.path("tenant_id").asString(""));
    table.row("state", one.path("state").asString(""));
    table.row("now", one.path("explanation").asString(""));
    table.row("filter", one.path("filter").isEmpty() ? "all" : one.path("filter").toString());
    table.row("pace", settings(one.path("settings")));
    table.row("gone through", done(one));
    for (String word :
        List.of("waiting", "retrying", "delivered", "dead", "cancelled", "lost", "skipped")) {
      if (counts.path(word).asLong(0) > 0 || word.equals("delivered")) {
        table.row(word, "%,d".formatted(counts.path(word).asLong(0)));
      }
    }
    table.row(
        "started",
        "%s by %s: %s"
            .formatted(
                one.path("started_at").asString(""),
                one.path("started_by").asString(""),
                one.path("reason").asString("")));
    if (one.has("ended_at")) {
      table.row("ended", one.path("ended_at").asString(""));
    }
    return table.toString();
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Releases nothing more until it is resumed. What was released goes its way.")
  int pause(@Mixin ApiOptions api, @Mixin SteerOptions one) {
    return steer(api, one, "pause");
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Goes on with a paused one, at its rate from now on.")
  int resume(@Mixin ApiOptions api, @Mixin SteerOptions one) {
    return steer(api, one, "resume");
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Ends one for good. What it has not released stays on the shelf.")
  int cancel(@Mixin ApiOptions api, @Mixin SteerOptions one) {
    return steer(api, one, "cancel");
  }

  private static int steer(ApiOptions api, SteerOptions one, String verb) {
    String path = "/v1/redrives/%s/%s".formatted(DeliveriesCommand.encoded(one.id), verb);
    return api.run(client -> client.post(path, Map.of("reason", one.reason)), RedriveCommand::line);
  }
}
