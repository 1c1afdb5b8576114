package io.penstock.server.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is redriven, and at what pace: the options that plan and start have in common. */
final class RedriveOptions {
  @Option(
      names = "--destination",
      paramLabel = "ID",
      description = "Whose dead letters. This or --tenant must be given.")
  @Nullable String destination;

  @Option(
      names = "--tenant",
      paramLabel = "ID",
      description = "All destinations of this tenant: one redrive for each.")
  @Nullable String tenant;

  @Option(
      names = "--outcome",
      paramLabel = "WORD",
      split = ",",
      description = "Only with this last outcome: throttled, transient, unknown, rejected, ...")
  @Nullable List<String> outcomes;

  @Option(
      names = "--of-reason",
      paramLabel = "WORD",
      split = ",",
      description = "Only dead for this reason: exhausted, expired, rejected, gone, ...")
  @Nullable List<String> reasons;

  @Option(
      names = "--status",
      paramLabel = "N",
      split = ",",
      description = "Only with this last HTTP status; 0 = none.")
  @Nullable List<Integer> statuses;

  @Option(names = "--died-from", paramLabel = "TIME", description = "Only dead since this time.")
  @Nullable String diedFrom;

  @Option(
      names = "--died-before",
      paramLabel = "TIME",
      description = "Only dead before this time, for instance 2026-11-30T12:00:00Z.")
  @Nullable String diedBefore;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      split = ",",
      description = "Only events of this type.")
  @Nullable List<String> types;

  @Option(names = "--event", paramLabel = "ID", split = ",", description = "Only this event.")
  @Nullable List<String> events;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Messages released per minute; 0 = as fast as the destination's budget takes them.")
  @Nullable Integer rate;

  @Option(
      names = "--low-watermark",
      paramLabel = "N",
      description = "Release only while fewer deliveries than this are ready.")
  @Nullable Integer lowWatermark;

  @Option(
      names = "--canary",
      paramLabel = "N",
      description = "Release so many first, and judge them; 0 = none.")
  @Nullable Integer canary;

  @Option(
      names = "--canary-percent",
      paramLabel = "N",
      description = "Go on only when so many per cent of the canary succeed.")
  @Nullable Integer canaryPercent;

  @Option(
      names = "--abort-percent",
      paramLabel = "N",
      description = "End when more than so many per cent fail again; 100 = never.")
  @Nullable Integer abortPercent;

  @Option(
      names = "--abort-after",
      paramLabel = "N",
      description = "But only once so many messages were judged.")
  @Nullable Integer abortAfter;

  /** The request's body, with what was given. */
  Map<String, Object> body() {
    Map<String, Object> body = new LinkedHashMap<>();
    put(body, "destination", destination);
    put(body, "tenant", tenant);
    put(body, "outcomes", outcomes);
    put(body, "reasons", reasons);
    put(body, "statuses", statuses);
    put(body, "died_from", diedFrom);
    put(body, "died_before", diedBefore);
    put(body, "types", types);
    put(body, "events", events);
    put(body, "rate_per_minute", rate);
    put(body, "low_watermark", lowWatermark);
    Map<String, Object> first = new LinkedHashMap<>();
    put(first, "first", canary);
    put(first, "percent", canaryPercent);
    put(body, "canary", first.isEmpty() ? null : first);
    Map<String, Object> end = new LinkedHashMap<>();
    put(end, "percent", abortPercent);
    put(end, "after", abortAfter);
    put(body, "abort", end.isEmpty() ? null : end);
    return body;
  }

  private static void put(Map<String, Object> body, String name, @Nullable Object value) {
    if (value != null) {
      body.put(name, value);
    }
  }
}
