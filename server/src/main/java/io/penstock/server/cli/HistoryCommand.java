package io.penstock.server.cli;

import io.penstock.server.client.ApiClient;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.yaml.Quantities;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Draws how a destination's budget moved, and tells what happened. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = {
      "Draws the rate of a destination against its ceiling, its 429s, and lists what happened:",
      "cuts, parks and their ends, holds, pauses, changes of its limit. Times are UTC.",
      "It is up to five seconds behind; points are thinned after an hour and kept for 30 days."
    },
    footer = {
      "",
      "For instance:",
      "  penstock history dst_9f31c --since 30m",
      "  penstock history dst_9f31c --since 2026-03-10T11:00:00Z --until 2026-03-10T13:00:00Z",
      ""
    })
final class HistoryCommand implements Callable<Integer> {
  /** Answers that are put together: beyond it a shorter time must be asked for. */
  private static final int MOST_PAGES = 10;

  /** Longer than any history is kept. */
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private static final String PAGE = "5000";

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "DESTINATION", description = "The destination's id.")
  String destination = "";

  @Option(
      names = "--since",
      paramLabel = "WHEN",
      defaultValue = "1h",
      description =
          "From when: a length of time back (30m, 6h, 7d) or a time in UTC (default: 1h).")
  String since = "";

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Until when: a time in UTC (default: now).")
  @Nullable String until;

  @Override
  public Integer call() {
    return api.run(this::ask, answer -> HistoryDrawing.of(answer, HistoryDrawing.glyphs()));
  }

  private JsonNode ask(ApiClient client) {
    String path =
        "/v1/destinations/%s/history?limit=%s%s"
            .formatted(
                DeliveriesCommand.encoded(destination),
                PAGE,
                until == null ? "" : "&to=" + DeliveriesCommand.encoded(time("--until", until)));
    // The server's clock says what "now" is; the first answer tells it.
    ObjectNode all = (ObjectNode) client.get(path + from(client, path));
    String to = DeliveriesCommand.encoded(all.path("to").asString(""));
    for (int page = 1; page < MOST_PAGES && all.path("has_more").asBoolean(false); page++) {
      String next = DeliveriesCommand.encoded(all.path("next_from").asString(""));
      String rest =
          "/v1/destinations/%s/history?limit=%s&from=%s&to=%s"
              .formatted(DeliveriesCommand.encoded(destination), PAGE, next, to);
      append(all, client.get(rest));
    }
    return all;
  }

  private String from(ApiClient client, String path) {
    Duration back = Quantities.duration(since).orElse(null);
    if (back == null) {
      return "&from=" + DeliveriesCommand.encoded(time("--since", since));
    }
    if (back.compareTo(LONGEST) > 0) {
      throw new CommandException(
          ExitCode.USAGE,
          "--since: wanted at most %d d back, got %s".formatted(LONGEST.toDays(), since));
    }
    Instant to = Instant.parse(client.get(path).path("to").asString(""));
    return "&from=" + DeliveriesCommand.encoded(to.minus(back).toString());
  }

  private static void append(ObjectNode all, JsonNode more) {
    for (String list : new String[] {"points", "happenings"}) {
      ((ArrayNode) all.path(list)).addAll((ArrayNode) more.path(list));
    }
    all.set("has_more", more.path("has_more"));
    if (more.has("next_from")) {
      all.set("next_from", more.path("next_from"));
    } else {
      all.remove("next_from");
    }
  }

  private static String time(String option, String text) {
    try {
      return Instant.parse(text).toString();
    } catch (DateTimeParseException e) {
      throw new CommandException(
          ExitCode.USAGE,
          "%s: wanted a time in UTC such as 2026-03-10T11:00:00Z%s, got %s"
              .formatted(option, option.equals("--since") ? " or a length such as 30m" : "", text));
    }
  }
}
