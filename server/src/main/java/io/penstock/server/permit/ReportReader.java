package io.penstock.server.permit;

import io.penstock.budget.Hint;
import io.penstock.budget.Hints;
import io.penstock.budget.Outcome;
import io.penstock.engine.limits.OutcomeOverrides;
import io.penstock.push.StatusTable;
import io.penstock.server.json.Fields;
import io.penstock.server.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads how the request of a permit ended: an answer with its hints, or a failure. */
final class ReportReader {
  /** Only a handful of headers can be hints. */
  private static final int MOST_HEADERS = 20;

  private static final int MOST_HEADER_CHARS = 1_000;
  private static final long LONGEST_MS = 24 * 60 * 60 * 1_000L;
  private static final Pattern FAILURE =
      Pattern.compile("timed_out|reset|connect_failed|dns_failed|tls_failed|own_fault|not_sent");
  private static final String FAILURE_WORDS =
      "timed_out, reset, connect_failed, dns_failed, tls_failed, own_fault or not_sent";

  private ReportReader() {}

  /** What a worker reports. */
  sealed interface Report {
    /** The request was made, and came to this after so long. */
    record Ended(Outcome outcome, Duration took) implements Report {}

    /** The permit was not used. */
    record NotSent() implements Report {}
  }

  /**
   * The report in a request's body.
   *
   * @param own which statuses mean something else at the destination
   * @param now when it came
   */
  static Report read(Fields fields, OutcomeOverrides own, Instant now) {
    fields.only(Set.of("status", "headers", "failure", "duration_ms"));
    Duration took = Duration.ofMillis(fields.whole("duration_ms", 0, LONGEST_MS).orElse(0L));
    if (fields.has("failure") == fields.has("status")) {
      throw ProblemException.field(
          "status",
          fields.has("status") ? "a status and a failure" : "neither a status nor a failure",
          "the status of the answer, 100 to 599, or in its place a failure: " + FAILURE_WORDS);
    }
    if (fields.has("failure")) {
      return failed(fields.text("failure", FAILURE, FAILURE_WORDS), took);
    }
    int status = fields.whole("status", 100, 599).orElseThrow().intValue();
    Hint hint = Hints.parse(status, headers(fields)::getOrEmpty, now);
    return new Report.Ended(StatusTable.outcome(status, hint, own), took);
  }

  private static Report failed(String failure, Duration took) {
    return switch (failure) {
      case "not_sent" -> new Report.NotSent();
      case "own_fault" -> new Report.Ended(new Outcome.Ours(0, failure), took);
      case "timed_out", "reset" -> new Report.Ended(new Outcome.Unknown(0, failure), took);
      default -> new Report.Ended(new Outcome.Transient(0, failure, Hint.NONE), took);
    };
  }

  /** Headers by lower-case name. */
  private record Headers(Map<String, List<String>> byName) {
    List<String> getOrEmpty(String name) {
      return byName.getOrDefault(name, List.of());
    }
  }

  private static Headers headers(Fields fields) {
    Map<String, List<String>> byName = new TreeMap<>();
    fields
        .map("headers", MOST_HEADERS)
        .forEach((name, value) -> {
          if (value.length() > MOST_HEADER_CHARS) {
            throw ProblemException.field(
                "headers." + name,
                "%,d characters".formatted(value.length()),
                "at most %,d characters".formatted(MOST_HEADER_CHARS));
          }
          byName.put(name.toLowerCase(Locale.ROOT), List.of(value));
        });
    return new Headers(byName);
  }
}
