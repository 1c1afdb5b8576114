package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Shows the workers of tubes. */
@Command(
    name = "workers",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the workers that leased, polled or renewed within the last hour: their pool, what they",
      "asked for last, and the jobs that they hold."
    },
    footer = {"", "Examples:", "  penstock workers", "  penstock workers --watch 5"})
final class WorkersCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();
  @Mixin Watch watch = new Watch();

  @Override
  public Integer call() {
    return watch.run(
        api, () -> api.run(client -> client.get("/v1/workers?limit=250"), WorkersCommand::table));
  }

  private static String table(JsonNode page) {
    Table table = new Table("WORKER", "POOL", "RUNNING", "IN", "ASKED FOR", "LAST SEEN");
    page.path("items").forEach(worker -> table.row(cells(worker)));
    if (table.isEmpty()) {
      return "No worker was heard of within an hour.";
    }
    return page.path("has_more").asBoolean(false) ? table + "\nMore follow." : table.toString();
  }

  private static String[] cells(JsonNode worker) {
    return new String[] {
      worker.path("worker").asString(""),
      worker.path("pool").asString("-"),
      worker.path("running").asString(""),
      names(worker.path("running_in")),
      names(worker.path("tubes")),
      worker.path("last_seen").asString("")
    };
  }

  private static final int MOST_NAMES = 3;

  private static String names(JsonNode list) {
    StringBuilder out = new StringBuilder();
    int shown = 0;
    for (JsonNode name : list) {
      if (shown++ == MOST_NAMES) {
        return out.append(" and ").append(list.size() - MOST_NAMES).append(" more").toString();
      }
      out.append(out.isEmpty() ? "" : ", ").append(name.asString(""));
    }
    return out.isEmpty() ? "-" : out.toString();
  }
}
