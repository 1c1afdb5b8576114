package io.penstock.server.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What can be done to the schedule. */
@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    description = {
      "Rebuilds the schedule, which is derived from the ledger, on every node. (Recurring orders to",
      "send an event are another matter: see penstock schedules.)"
    },
    synopsisSubcommandLabel = "(rebuild)")
final class ScheduleCommand {

  @Command(
      name = "rebuild",
      mixinStandardHelpOptions = true,
      description = {
        "Every node drops what it remembers of when each destination has something to do, and finds",
        "it again in the ledger. Nothing that waits is touched; a walk does the same every 5 s or",
        "so, without dropping anything."
      })
  int rebuild(
      @Mixin ApiOptions api,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              required = true,
              description = "Why, for the audit.")
          String reason) {
    return api.run(
        client -> client.post("/v1/schedule/rebuild", Map.of("reason", reason)),
        ScheduleCommand::told);
  }

  private static String told(JsonNode rebuilt) {
    int others = rebuilt.path("others_told").asInt(0);
    int destinations = rebuilt.path("destinations").asInt(0);
    return "rebuilt on %s in %s ms: %,d %s something waiting%s"
        .formatted(
            rebuilt.path("node").asString(""),
            rebuilt.path("took_ms").asString(""),
            destinations,
            destinations == 1 ? "destination has" : "destinations have",
            others == 0
                ? ""
                : "; %d other %s told".formatted(others, others == 1 ? "node was" : "nodes were"));
  }
}
