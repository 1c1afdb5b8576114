package io.penstock.postgres.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A point as it is kept.
 *
 * @param kind {@code rate}, or the word of a mark
 * @param spanSeconds how long a time it stands for
 * @param rate per second: at its end, or the mean of a point that was thinned
 * @param throttled answers in it that asked for less
 * @param times how often it turned so in its span
 * @param before the rate before a mark
 * @param failures in a row, for a park and its probes
 * @param cause a status or a word; empty for a rate
 */
public record HistoryRow(
    Instant at,
    String kind,
    int spanSeconds,
    double rate,
    double ceiling,
    @Nullable Double knee,
    int throttled,
    int times,
    @Nullable Double before,
    int failures,
    String cause) {
  /** The kind of a point that is no mark. */
  public static final String RATE = "rate";

  public boolean isRate() {
    return kind.equals(RATE);
  }
}
