package io.penstock.gameday.lab;

import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.WaitReason;
import java.time.Duration;
import java.time.Instant;

/**
 * Plain additive increase and multiplicative decrease, for the comparison only: every refusal
 * halves, or at most one a second; twenty successes add a hundredth of the ceiling.
 */
final class AimdSender implements Sender {
  private static final double INCREASE = 0.01;
  private static final int SUCCESSES = 20;
  private static final double FLOOR = 1;

  private final double ceiling;
  private final long cutsApart;
  private double rate;
  private double tokens = 1;
  private long at;
  private long cutAt = Long.MIN_VALUE / 2;
  private int successes;

  /** {@code cutsApart} is the least time between two cuts in microseconds. */
  AimdSender(double ceiling, long cutsApart) {
    this.ceiling = ceiling;
    this.cutsApart = cutsApart;
    rate = ceiling;
  }

  @Override
  public Decision take(Instant now) {
    accrue(now);
    int most = (int) tokens;
    if (most >= 1) {
      tokens -= most;
      return new Decision.Admit(most, most, most, false, 0, Duration.ZERO);
    }
    long micros = (long) Math.ceil((1 - tokens) / rate * Timeline.SECOND);
    return new Decision.Wait(
        now.plusNanos(micros * 1_000), new WaitReason.Tokens(tokens, rate, ceiling));
  }

  private void accrue(Instant now) {
    long time = Timeline.of(now);
    tokens = Math.min(Math.max(1, rate / 10), tokens + rate * (time - at) / Timeline.SECOND);
    at = time;
  }

  @Override
  public void feed(Feedback feedback, Instant now) {
    accrue(now);
    if (!(feedback instanceof Feedback.Ended ended)) {
      return;
    }
    if (ended.outcome() instanceof Outcome.Delivered) {
      if (++successes >= SUCCESSES) {
        successes = 0;
        rate = Math.min(ceiling, rate + INCREASE * ceiling);
      }
    } else if (at - cutAt >= cutsApart) {
      cutAt = at;
      successes = 0;
      rate = Math.max(FLOOR, rate / 2);
    }
  }

  @Override
  public double rate() {
    return rate;
  }

  @Override
  public boolean parked() {
    return false;
  }
}
