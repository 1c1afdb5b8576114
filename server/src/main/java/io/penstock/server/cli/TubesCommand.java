package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Shows tubes as they stand. */
@Command(
    name = "tubes",
    mixinStandardHelpOptions = true,
    subcommands = {SupplyCommands.Supply.class, SupplyCommands.Suggest.class},
    description = {
      "Shows tubes: the worker-seconds that each has banked, what runs and how long that is expected",
      "to take, what waits since when and until when at its allotment, and what its runs yielded.",
      "penstock why TUBE says what the first in line waits for; penstock tubes supply whether there are",
      "workers enough, penstock tubes suggest what each tube should have."
    },
    footer = {
      "",
      "Examples:",
      "  penstock tubes",
      "  penstock tubes --watch",
      "  penstock tubes crawl-slow --json",
      "  penstock tubes supply",
      "  penstock tubes suggest crawl-slow"
    })
final class TubesCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();
  @Mixin Watch watch = new Watch();

  @Parameters(
      paramLabel = "TUBE",
      arity = "0..1",
      description = "One tube, with all that is known of it.")
  @Nullable String tube;

  @Option(names = "--tenant", paramLabel = "ID", description = "Only of this tenant.")
  @Nullable String tenant;

  @Override
  public Integer call() {
    String id = tube;
    return watch.run(api, id == null ? this::list : () -> one(id));
  }

  private int list() {
    String of = tenant == null ? "" : "&tenant=" + DeliveriesCommand.encoded(tenant);
    return api.run(client -> client.get("/v1/tubes?limit=250" + of), TubesCommand::table);
  }

  private static String table(JsonNode page) {
    Table table =
        new Table(
            "TUBE",
            "STATE",
            "BALANCE",
            "ALLOTMENT",
            "RUNNING",
            "EXPECTED",
            "WAITING",
            "OLDEST",
            "ETA",
            "YIELD");
    page.path("items").forEach(tube -> table.row(cells(tube)));
    if (table.isEmpty()) {
      return "No tubes; penstock destinations create --mode pull makes one.";
    }
    return page.path("has_more").asBoolean(false) ? table + "\nMore follow." : table.toString();
  }

  private static String[] cells(JsonNode tube) {
    JsonNode work = tube.path("work");
    return new String[] {
      tube.path("id").asString(""),
      tube.path("state").asString(""),
      work.isMissingNode() ? "unmetered" : seconds(work, "balance_seconds"),
      work.isMissingNode() ? "none" : work.path("allotment").asString(""),
      tube.path("running").asString("") + "/" + tube.path("most_running").asString(""),
      work.isMissingNode() ? "-" : seconds(work, "expected_seconds"),
      waiting(tube),
      seconds(tube, "oldest_seconds"),
      seconds(tube, "eta_seconds"),
      yielded(tube.path("runs"))
    };
  }

  private static String waiting(JsonNode tube) {
    int waiting = tube.path("waiting").asInt(0);
    return waiting >= 1_000 ? "1000+" : Integer.toString(waiting);
  }

  private static String yielded(JsonNode runs) {
    if (runs.isMissingNode()) {
      return "-";
    }
    long empty = runs.path("empty_runs").asLong(0);
    return runs.path("yielded").asString("")
        + (empty == 0 ? "" : " (%d runs without)".formatted(empty));
  }

  /** Seconds as people read them; "-" when they are not there. */
  static String seconds(JsonNode node, String name) {
    JsonNode value = node.path(name);
    if (!value.isNumber()) {
      return "-";
    }
    double seconds = value.doubleValue();
    double size = Math.abs(seconds);
    if (size < 120) {
      return "%.1f s".formatted(seconds);
    }
    return size < 7_200 ? "%.1f min".formatted(seconds / 60) : "%.1f h".formatted(seconds / 3_600);
  }

  private int one(String id) {
    return api.run(
        client -> client.get("/v1/tubes/" + DeliveriesCommand.encoded(id)), TubesCommand::detail);
  }

  private static String detail(JsonNode tube) {
    StringBuilder out = new StringBuilder();
    line(out, "tube", tube.path("id").asString(""));
    line(out, "tenant", tube.path("tenant_id").asString(""));
    line(out, "state", tube.path("state").asString(""));
    if (tube.has("silent")) {
      line(out, "silent", tube.path("silent").asString(""));
    }
    line(out, "pools", tube.path("pools").toString());
    JsonNode work = tube.path("work");
    if (work.isMissingNode()) {
      line(out, "worker-seconds", "unmetered");
    } else {
      line(
          out,
          "balance",
          "%s of %s, at %s workers"
              .formatted(
                  seconds(work, "balance_seconds"),
                  seconds(work, "capacity_seconds"),
                  work.path("allotment").asString("")));
      line(
          out,
          "expected",
          seconds(work, "expected_seconds")
              + (work.path("learned").asBoolean(false) ? "" : " (a guess: too few runs yet)"));
      line(out, "charged", seconds(work, "charged_seconds"));
      line(out, "lent", seconds(work, "lent_seconds"));
      line(out, "forgiven", seconds(work, "forgiven_seconds"));
    }
    line(out, "running", cells(tube)[4]);
    line(
        out,
        "waiting",
        "%s, the first since %s, gone in %s"
            .formatted(
                waiting(tube), seconds(tube, "oldest_seconds"), seconds(tube, "eta_seconds")));
    tube.path("runs")
        .properties()
        .forEach(e -> line(out, e.getKey().replace('_', ' '), e.getValue().asString("")));
    return out.toString().stripTrailing();
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append("%-16s%s%n".formatted(name.toLowerCase(Locale.ROOT), value));
  }
}
