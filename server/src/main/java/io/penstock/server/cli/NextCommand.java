package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists what goes next. */
@Command(
    name = "next",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what goes next, of a destination or a whole tenant, in the order in which it is",
      "expected to be claimed. WAITS FOR is the code that penstock why explains."
    })
final class NextCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();

  @ArgGroup(multiplicity = "1")
  Target target = new Target();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "20",
      description = "How many, 1 to 250 (default 20).")
  int limit;

  /** Whose. */
  static final class Target {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "DESTINATION",
        description = "The destination's id.")
    @Nullable String destination;

    @Option(names = "--tenant", paramLabel = "ID", description = "All destinations of this tenant.")
    @Nullable String tenant;

    String path() {
      return tenant == null
          ? "/v1/destinations/" + DeliveriesCommand.encoded(String.valueOf(destination))
          : "/v1/tenants/" + DeliveriesCommand.encoded(tenant);
    }
  }

  @Override
  public Integer call() {
    String path = "%s/next?limit=%d".formatted(target.path(), limit);
    return api.run(client -> client.get(path), NextCommand::rendered);
  }

  private static String rendered(JsonNode next) {
    Table table =
        new Table("#", "DESTINATION", "EVENT", "LANE", "URGENCY", "TRIES", "EXPECTED", "WAITS FOR");
    int place = 0;
    for (JsonNode item : next.path("items")) {
      table.row(
          Integer.toString(++place),
          item.path("destination_id").asString(""),
          item.path("event_id").asString(""),
          item.path("lane").asString(""),
          item.path("urgency").asString(""),
          item.path("attempts").asString(""),
          Times.expected(item.path("estimate")),
          item.path("code").asString(""));
    }
    String all =
        next.path("complete").asBoolean(true)
            ? ""
            : "\nNot all destinations could be looked at within a second.";
    return (table.isEmpty() ? "Nothing waits." : table.toString()) + all;
  }
}
