package io.penstock.gameday.lab;

import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.WaitReason;
import java.time.Duration;
import java.time.Instant;

/**
 * A cubic rate in the manner of cloud SDKs' adaptive retry mode, for the comparison only: a refusal
 * cuts to 70 % of the rate, and the way back follows a cubic curve through the last maximum, at
 * most twice the measured rate.
 */
final class CubicSender implements Sender {
  private static final double BETA = 0.7;
  private static final double SCALE = 0.4;
  private static final double FLOOR = 0.5;
  private static final double SMOOTHING = 0.8;
  private static final long MEASURED_OVER = Timeline.SECOND / 2;

  private final double ceiling;
  private double rate;
  private double tokens = 1;
  private long at;
  private double lastMaximum;
  private long cutAt;
  private boolean throttledOnce;
  private double measured;
  private long measuredFrom;
  private int sent;

  CubicSender(double ceiling) {
    this.ceiling = ceiling;
    rate = ceiling;
    lastMaximum = ceiling;
  }

  @Override
  public Decision take(Instant now) {
    accrue(now);
    int most = (int) tokens;
    if (most >= 1) {
      tokens -= most;
      sent += most;
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
    if (at - measuredFrom >= MEASURED_OVER) {
      double now1 = (double) sent * Timeline.SECOND / (at - measuredFrom);
      measured = SMOOTHING * now1 + (1 - SMOOTHING) * measured;
      measuredFrom = at;
      sent = 0;
    }
  }

  @Override
  public void feed(Feedback feedback, Instant now) {
    accrue(now);
    if (!(feedback instanceof Feedback.Ended ended)) {
      return;
    }
    double wanted;
    if (ended.outcome() instanceof Outcome.Delivered) {
      double window = Math.cbrt(lastMaximum * (1 - BETA) / SCALE);
      double since = (double) (at - cutAt) / Timeline.SECOND;
      wanted = SCALE * Math.pow(since - window, 3) + lastMaximum;
    } else {
      double basis = throttledOnce ? Math.min(measured, rate) : measured;
      throttledOnce = true;
      lastMaximum = basis;
      cutAt = at;
      wanted = basis * BETA;
    }
    if (throttledOnce) {
      rate = Math.clamp(Math.min(wanted, 2 * measured), FLOOR, ceiling);
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
