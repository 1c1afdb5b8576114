package io.penstock.server.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Says why a destination, or one delivery, waits. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = "Says in one sentence why a destination, or one delivery, waits, and until when.")
final class WhyCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(index = "0", paramLabel = "DESTINATION", description = "The destination's id.")
  String destination = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "EVENT", description = "The event's id.")
  @Nullable String event;

  @Override
  public Integer call() {
    String path =
        event == null
            ? "/v1/destinations/%s/why".formatted(DeliveriesCommand.encoded(destination))
            : "/v1/deliveries/%s/%s/why"
                .formatted(
                    DeliveriesCommand.encoded(destination), DeliveriesCommand.encoded(event));
    return api.run(client -> client.get(path), WhyCommand::rendered);
  }

  private static String rendered(JsonNode why) {
    return "%s is %s (%s of %s a second, %s in flight). %s"
        .formatted(
            why.path("destination_id").asString(""),
            why.path("state").asString(""),
            why.path("rate_per_second").asString(""),
            why.path("ceiling_per_second").asString(""),
            why.path("in_flight").asString(""),
            why.path("sentence").asString(""));
  }
}
