package io.penstock.server.cli;

import io.penstock.server.client.Table;
import java.util.StringJoiner;
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
    description = {
      "Says in one sentence why a destination, or one delivery, waits, and until when: what the",
      "scheduling code itself decides at this moment. EXPECTED supposes that the receiver answers",
      "well, unless the basis is \"time\"."
    },
    footer = {"", "penstock next DESTINATION lists what goes next."})
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
    StringBuilder out = new StringBuilder();
    out.append(
        "%s is %s (%s of %s a second, %s in flight).%n"
            .formatted(
                why.path("destination_id").asString(""),
                why.path("state").asString(""),
                number(why.path("rate_per_second")),
                number(why.path("ceiling_per_second")),
                why.path("in_flight").asString("")));
    out.append(why.path("sentence").asString("")).append('\n');
    StringJoiner facts = new StringJoiner(", ");
    facts.add("code " + why.path("code").asString(""));
    if (why.has("until")) {
      facts.add("until " + Times.seconds(why.path("until").asString("")));
    }
    if (why.has("estimate")) {
      JsonNode estimate = why.path("estimate");
      facts.add(
          "expected %s (%s, basis %s)"
              .formatted(
                  Times.seconds(estimate.path("at").asString("")),
                  Times.expected(estimate),
                  estimate.path("basis").asString("")));
    }
    out.append(facts);
    if (!why.has("event_id")) {
      out.append("\nwaiting: ").append(Waiting.line(why.path("waiting")));
    }
    if (!why.has("event_id") && !why.path("heads").isEmpty()) {
      out.append("\n\n").append(heads(why));
    }
    return out.toString();
  }

  private static Table heads(JsonNode why) {
    Table table = new Table("LANE", "URGENCY", "FIRST DUE", "WAITED", "EXPECTED");
    for (JsonNode head : why.path("heads")) {
      long waited = head.path("waited_ms").asLong(0);
      table.row(
          head.path("lane").asString(""),
          head.path("urgency").asString(""),
          Times.seconds(head.path("not_before").asString("")),
          waited == 0 ? "-" : Times.length(waited),
          Times.expected(head.path("estimate")));
    }
    return table;
  }

  static String number(JsonNode number) {
    double value = number.asDouble(0);
    return value == Math.rint(value) ? "%,.0f".formatted(value) : "%,.2f".formatted(value);
  }
}
