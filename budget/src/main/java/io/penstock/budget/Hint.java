package io.penstock.budget;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an answer said about when to come back: how long to stay away from when it was received.
 * Rounded up, at most one hour; {@code null} when the answer gave no usable hint.
 */
public record Hint(@Nullable Duration stayAway) {
  public static final Hint NONE = new Hint(null);
}
