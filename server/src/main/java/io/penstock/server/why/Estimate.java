package io.penstock.server.why;

import io.penstock.budget.Forecast.Expected;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When something is expected to go.
 *
 * @param atLeast whether it goes no earlier than that, and later by nobody knows how much
 * @param ifWell whether that supposes that the receiver answers well; false = time and limits alone
 *     decide
 */
record Estimate(Instant at, boolean atLeast, boolean ifWell) {

  /** From a forecast; null = nobody can say, somebody must act. */
  static @Nullable Estimate of(Expected expected) {
    return switch (expected) {
      case Expected.Goes goes -> new Estimate(goes.at(), false, goes.ifWell());
      case Expected.Later later -> new Estimate(later.than(), true, true);
      case Expected.Refused _ -> null;
    };
  }

  Estimate noEarlier() {
    return new Estimate(at, true, ifWell);
  }

  /** What it rests on, as a stable word. */
  String basis() {
    return ifWell ? "receiver" : "time";
  }

  /** As the API shows it. */
  Body body(Instant now) {
    return new Body(at, Math.max(0, Duration.between(now, at).toMillis()), atLeast, basis());
  }

  /** Snake case in the API. */
  record Body(Instant at, long waitMs, boolean atLeast, String basis) {}
}
