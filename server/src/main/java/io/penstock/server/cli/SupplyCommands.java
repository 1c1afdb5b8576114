package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Shows whether there are workers enough, and what tubes should have. */
final class SupplyCommands {
  private SupplyCommands() {}

  /** Supply and demand of pools. */
  @Command(
      name = "supply",
      mixinStandardHelpOptions = true,
      description = {
        "Shows for each pool how many workers are there, what was promised of them (the sum of the",
        "allotments), what really arrived within a day, and the slack that the greater of both leaves.",
        "Of batches that come again and again: how long one takes, against the time until the next.",
        "A tube of several pools is divided among them by their workers."
      },
      footer = {"", "Examples:", "  penstock tubes supply", "  penstock tubes supply --json"})
  static final class Supply implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Watch watch = new Watch();

    @Override
    public Integer call() {
      return watch.run(api, () -> api.run(client -> client.get("/v1/pools"), Supply::rendered));
    }

    private static String rendered(JsonNode answer) {
      Table pools = new Table("POOL", "WORKERS", "RUNNING", "ALLOTTED", "DEMAND", "SLACK");
      Table tubes =
          new Table(
              "POOL", "TUBE", "SHARE", "ALLOTMENT", "PER MINUTE", "EXPECTED", "DEMAND", "BATCH");
      List<String> verdicts = new ArrayList<>();
      for (JsonNode pool : answer.path("items")) {
        String name = pool.path("pool").asString("(none)");
        pools.row(
            name,
            workers(pool),
            pool.path("running").asString(""),
            pool.path("allotted").asString("") + unmetered(pool),
            pool.path("demand").asString(""),
            "%.0f %%".formatted(pool.path("slack_percent").asDouble()));
        if (pool.path("over_committed").asBoolean(false)) {
          verdicts.add("! %s: %s".formatted(name, pool.path("verdict").asString("")));
        }
        pool.path("tubes").forEach(tube -> tubes.row(cells(name, tube)));
      }
      if (pools.isEmpty()) {
        return "No pools: the limits file names none, and no worker is there.";
      }
      String warnings = verdicts.isEmpty() ? "" : "\n\n" + String.join("\n", verdicts);
      return tubes.isEmpty() ? pools + warnings : pools + warnings + "\n\n" + tubes;
    }

    private static String workers(JsonNode pool) {
      int size = pool.path("size").asInt(0);
      String present = pool.path("workers").asString("");
      return size == 0 ? present : present + " of " + size;
    }

    private static String unmetered(JsonNode pool) {
      int unmetered = pool.path("unmetered").asInt(0);
      return unmetered == 0 ? "" : " + %d unmetered".formatted(unmetered);
    }

    private static String[] cells(String pool, JsonNode tube) {
      return new String[] {
        pool,
        tube.path("tube").asString(""),
        "%.0f %%".formatted(tube.path("share").asDouble() * 100),
        tube.path("allotment").asString("none"),
        "%.2f".formatted(tube.path("arrived_per_minute").asDouble()),
        TubesCommand.seconds(tube, "expected_seconds"),
        tube.path("demand").asString(""),
        batch(tube.path("batch"))
      };
    }

    private static String batch(JsonNode batch) {
      if (batch.isMissingNode()) {
        return "-";
      }
      return "%d every %s, gone in %s%s"
          .formatted(
              batch.path("jobs").asLong(),
              TubesCommand.seconds(batch, "every_seconds"),
              TubesCommand.seconds(batch, "drains_seconds"),
              batch.path("in_time").asBoolean(true) ? "" : ": NOT before the next");
    }
  }

  /** What tubes should have. */
  @Command(
      name = "suggest",
      mixinStandardHelpOptions = true,
      description = {
        "Proposes an allotment and a capacity for each tube from what arrived within a day and how long",
        "jobs take, each with its reason, in the form of a limits file. Changes nothing."
      },
      footer = {"", "Examples:", "  penstock tubes suggest", "  penstock tubes suggest crawl"})
  static final class Suggest implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();

    @Parameters(paramLabel = "TUBE", arity = "0..1", description = "Only this tube.")
    @Nullable String tube;

    @Override
    public Integer call() {
      String id = tube;
      return id == null
          ? api.run(client -> client.get("/v1/tube-suggestions?limit=250"), Suggest::all)
          : api.run(
              client ->
                  client.get("/v1/tubes/%s/suggestion".formatted(DeliveriesCommand.encoded(id))),
              one -> rendered(List.of(one)));
    }

    private static String all(JsonNode page) {
      String text = rendered(page.path("items"));
      return page.path("has_more").asBoolean(false) ? text + "\n# More follow." : text;
    }

    private static String rendered(Iterable<JsonNode> suggestions) {
      StringBuilder proposed = new StringBuilder();
      StringBuilder notYet = new StringBuilder();
      for (JsonNode one : suggestions) {
        if (one.has("proposed")) {
          proposed.append(section(one));
        } else {
          notYet.append(
              "# %s: %s%n"
                  .formatted(one.path("tube").asString(""), one.path("not_yet").asString("")));
        }
      }
      if (proposed.isEmpty() && notYet.isEmpty()) {
        return "No tubes; penstock destinations create --mode pull makes one.";
      }
      return (proposed.isEmpty() ? "" : "destinations:\n")
          + proposed
          + notYet.toString().stripTrailing();
    }

    private static String section(JsonNode one) {
      JsonNode proposed = one.path("proposed");
      return """
        %s:
          worker_seconds:
            # %s
            allotment: %s # now %s
            # %s
            capacity: %ds # now %s
      """
          .formatted(
              one.path("tube").asString(""),
              proposed.path("allotment_reason").asString(""),
              number(proposed.path("allotment").asDouble()),
              one.path("allotment").asString("none"),
              proposed.path("capacity_reason").asString(""),
              Math.round(proposed.path("capacity_seconds").asDouble()),
              one.has("capacity_seconds")
                  ? Math.round(one.path("capacity_seconds").asDouble()) + "s"
                  : "none");
    }

    private static String number(double value) {
      return String.format(Locale.ROOT, "%.2f", value);
    }
  }
}
