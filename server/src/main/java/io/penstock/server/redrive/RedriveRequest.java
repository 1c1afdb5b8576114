package io.penstock.server.redrive;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ProblemException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks to be redriven, and how.
 *
 * @param destinationId null = every destination of the tenant
 * @param reason why, for the audit; empty when it was not asked for
 */
record RedriveRequest(
    @Nullable String destinationId,
    @Nullable String tenantId,
    Fields fields,
    Fields canary,
    Fields abort,
    String reason) {
  private static final int MOST_REASON_CHARS = 500;
  private static final Set<String> KNOWN =
      Set.of(
          "destination",
          "tenant",
          "outcomes",
          "reasons",
          "statuses",
          "died_from",
          "died_before",
          "types",
          "events",
          "rate_per_minute",
          "low_watermark",
          "canary",
          "abort",
          "reason");

  /** The classes of outcomes that end a delivery, or may be its last one. */
  private static final List<String> OUTCOMES =
      List.of(
          "throttled",
          "transient",
          "unknown",
          "rejected",
          "unauthorised",
          "gone",
          "unsendable",
          "misconfigured",
          "ours");

  private static final Pattern OUTCOME = Pattern.compile(String.join("|", OUTCOMES));
  private static final List<String> REASONS =
      Arrays.stream(Reason.values())
          .filter(reason -> reason != Reason.CANCELLED)
          .map(Reason::word)
          .toList();
  private static final Pattern REASON = Pattern.compile(String.join("|", REASONS));
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern TIME = Pattern.compile("[0-9T:.Z+-]{10,40}");
  private static final String TIME_WORDS = "a time, for instance 2026-11-30T12:00:00Z";

  /** Reads a request; a plan needs no reason. */
  static RedriveRequest read(Fields fields, boolean needsReason) {
    fields.only(KNOWN);
    String reason =
        needsReason
            ? fields.requiredProse("reason", MOST_REASON_CHARS, "a few words on why, for the audit")
            : fields.prose("reason", MOST_REASON_CHARS).orElse("");
    String destination = fields.optionalText("destination", Texts.ID, Texts.ID_WORDS).orElse(null);
    String tenant = fields.optionalText("tenant", Texts.ID, Texts.ID_WORDS).orElse(null);
    if (destination == null && tenant == null) {
      throw ProblemException.field(
          "destination", "nothing", "a destination, or a tenant for all of its destinations");
    }
    return new RedriveRequest(
        destination,
        tenant,
        fields,
        fields.object("canary").only(Set.of("first", "percent")),
        fields.object("abort").only(Set.of("percent", "after")),
        reason);
  }

  RedriveFilter filter(String destination) {
    try {
      return new RedriveFilter(
          destination,
          texts("outcomes", OUTCOME, "one of " + String.join(", ", OUTCOMES)),
          texts("reasons", REASON, "one of " + String.join(", ", REASONS)).stream()
              .map(Reason::ofWord)
              .collect(Collectors.toSet()),
          new HashSet<>(fields.integers("statuses", RedriveFilter.MOST_VALUES, 0, 599)),
          time("died_from").orElse(null),
          time("died_before").orElse(null),
          texts("types", Texts.TYPE, Texts.TYPE_WORDS),
          texts("events", UUID_TEXT, "the id of an event, a UUID").stream()
              .map(UUID::fromString)
              .collect(Collectors.toSet()));
    } catch (IllegalArgumentException e) {
      throw ProblemException.field(
          "died_from", String.valueOf(e.getMessage()), "less than died_before");
    }
  }

  private Set<String> texts(String name, Pattern pattern, String allowed) {
    return Set.copyOf(
        new HashSet<>(fields.texts(name, RedriveFilter.MOST_VALUES, pattern, allowed)));
  }

  private Optional<Instant> time(String name) {
    return fields
        .optionalText(name, TIME, TIME_WORDS)
        .map(text -> {
          try {
            return Instant.parse(text);
          } catch (java.time.DateTimeException e) {
            throw ProblemException.field(name, text, TIME_WORDS);
          }
        });
  }

  /** What the request says, and for the rest what the destination's limits say. */
  RedriveSettings settings(RedriveSettings defaults) {
    return new RedriveSettings(
        fields.integer("rate_per_minute", 0, RedriveSettings.MOST_RATE, defaults.ratePerMinute()),
        fields.integer("low_watermark", 1, RedriveSettings.MOST_WATERMARK, defaults.lowWatermark()),
        canary.integer("first", 0, RedriveSettings.MOST_CANARY, defaults.canaryFirst()),
        canary.integer("percent", 0, 100, defaults.canaryPercent()),
        abort.integer("percent", 0, 100, defaults.abortPercent()),
        abort.integer("after", 1, RedriveSettings.MOST_CANARY, defaults.abortAfter()));
  }
}
