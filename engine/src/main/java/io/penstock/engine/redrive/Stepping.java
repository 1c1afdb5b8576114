package io.penstock.engine.redrive;

import io.penstock.engine.destination.Gate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a redrive steps: how much to release now, when to wait and for what, when to end. Verdicts
 * come before pace, so that a bad canary ends it at once.
 *
 * <p>The rate is a schedule and not a bucket: after t minutes rate × t messages are out, whatever
 * each step rounded away. What a delay of more than a second left behind is not caught up.
 */
public enum Stepping implements RedriveRule {
  RULE;

  /** Released in one transaction: about 20 ms of row locks that nobody else waits for. */
  static final int MOST_RELEASED = 500;

  /** What of the rate may be caught up at once, in seconds. */
  static final int CATCH_UP_SECONDS = 1;

  private static final Duration FREEZE_LOOK = Duration.ofMillis(20);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration BACKLOG_LOOK = Duration.ofMillis(100);
  private static final Duration CLOSED_LOOK = Duration.ofSeconds(1);
  private static final Duration FOLLOW = Duration.ofSeconds(2);
  private static final Duration FOLLOW_SLOWLY = Duration.ofSeconds(30);
  private static final long MICROS_PER_MINUTE = 60_000_000L;

  @Override
  public Ruled decide(
      RedriveSettings settings, RedriveProgress progress, RedriveInput input, Instant now) {
    return switch (progress.state()) {
      case STARTING ->
          input.frozen()
              ? explained(
                  running(settings, progress.in(RedriveState.RUNNING).paced(now, 0), input, now))
              : explained(new Ruled(progress, new RedriveDecision.Freezing(now.plus(FREEZE_LOOK))));
      case RUNNING -> explained(running(settings, progress, input, now));
      case PAUSED, COMPLETED, CANCELLED, ABORTED ->
          new Ruled(
              progress,
              new RedriveDecision.Following(
                  progress.waitsFor(), progress.explained(), followAt(progress, now)));
    };
  }

  private static Ruled explained(Ruled ruled) {
    RedriveDecision decision = ruled.decision();
    return new Ruled(ruled.progress().explained(decision.word(), decision.sentence()), decision);
  }

  private static Ruled running(
      RedriveSettings settings, RedriveProgress progress, RedriveInput input, Instant now) {
    RedriveDecision end = end(settings, progress, input, now);
    if (end != null) {
      return new Ruled(progress.in(RedriveState.ABORTED), end);
    }
    RedriveCounts counts = progress.counts();
    boolean canary = settings.canaryFirst() > 0 && !progress.canaryPassed();
    if (canary && (progress.exhausted() || counts.released() >= settings.canaryFirst())) {
      if (!canaryIsGood(settings, counts)) {
        return new Ruled(
            progress,
            new RedriveDecision.Canary(
                counts.delivered(),
                counts.failed(),
                counts.released(),
                settings.canaryPercent(),
                now.plus(RedriveProgress.LOOK_EVERY)));
      }
      return running(settings, progress.canaryPassed(true), input, now);
    }
    if (progress.exhausted()) {
      return new Ruled(
          progress.in(RedriveState.COMPLETED),
          new RedriveDecision.Complete(counts.released(), counts.skipped(), now.plus(FOLLOW)));
    }
    int room = canary ? settings.canaryFirst() - (int) counts.released() : MOST_RELEASED;
    return release(settings, progress, input, room, now);
  }

  private static @Nullable RedriveDecision end(
      RedriveSettings settings, RedriveProgress progress, RedriveInput input, Instant now) {
    RedriveCounts counts = progress.counts();
    if (input.closed() == Gate.Closed.DELETED) {
      return new RedriveDecision.DestinationDeleted(now.plus(FOLLOW));
    }
    if (counts.judged() >= settings.abortAfter()
        && counts.failed() * 100 > (long) settings.abortPercent() * counts.judged()) {
      return new RedriveDecision.TooManyFailed(
          counts.failed(), counts.judged(), settings.abortPercent(), now.plus(FOLLOW));
    }
    if (settings.canaryFirst() > 0
        && !progress.canaryPassed()
        && (progress.exhausted() || counts.released() >= settings.canaryFirst())
        && canaryIsBad(settings, counts)) {
      return new RedriveDecision.CanaryFailed(
          counts.delivered(),
          counts.failed(),
          counts.released(),
          settings.canaryPercent(),
          now.plus(FOLLOW));
    }
    return null;
  }

  private static boolean canaryIsGood(RedriveSettings settings, RedriveCounts counts) {
    return counts.delivered() * 100 >= settings.canaryPercent() * tellable(counts);
  }

  /** Whatever the rest brings, the share cannot be reached any more. */
  private static boolean canaryIsBad(RedriveSettings settings, RedriveCounts counts) {
    return (tellable(counts) - counts.failed()) * 100 < settings.canaryPercent() * tellable(counts);
  }

  /** What an operator cancelled says nothing about the destination. */
  private static long tellable(RedriveCounts counts) {
    return counts.released() - counts.cancelled() - counts.lost();
  }

  private static Ruled release(
      RedriveSettings settings,
      RedriveProgress progress,
      RedriveInput input,
      int room,
      Instant now) {
    Gate.Closed closed = input.closed();
    if (closed != null) {
      return new Ruled(progress, new RedriveDecision.Closed(closed, now.plus(CLOSED_LOOK)));
    }
    int below = settings.lowWatermark() - input.ready();
    if (below <= 0) {
      return new Ruled(
          progress,
          new RedriveDecision.Backlog(
              input.ready(), settings.lowWatermark(), now.plus(BACKLOG_LOOK)));
    }
    int most = Math.min(MOST_RELEASED, Math.min(room, below));
    int rate = settings.ratePerMinute();
    if (rate == 0) {
      return new Ruled(progress, new RedriveDecision.Release(most, now.plus(SHORT)));
    }
    RedriveProgress paced = caughtUp(rate, progress, now);
    long owed = due(rate, paced.paceFrom(), now) - paced.paceReleased();
    if (owed < 1) {
      return new Ruled(paced, new RedriveDecision.Paced(rate, nextAt(rate, paced, 1)));
    }
    most = (int) Math.min(most, owed);
    Instant next = nextAt(rate, paced, most + 1);
    return new Ruled(paced, new RedriveDecision.Release(most, later(next, now.plus(SHORT))));
  }

  /** A clock set back starts the schedule anew, and so does a long delay, but for a second. */
  private static RedriveProgress caughtUp(int rate, RedriveProgress progress, Instant now) {
    if (now.isBefore(progress.paceFrom())) {
      return progress.paced(now, 0);
    }
    long due = due(rate, progress.paceFrom(), now);
    long most = Math.max(1, (long) rate * CATCH_UP_SECONDS / 60);
    return due - progress.paceReleased() > most
        ? progress.paced(progress.paceFrom(), due - most)
        : progress;
  }

  private static long due(int rate, Instant from, Instant now) {
    return ChronoUnit.MICROS.between(from, now) * rate / MICROS_PER_MINUTE;
  }

  /** When the schedule has so many more due than were released; rounded up. */
  private static Instant nextAt(int rate, RedriveProgress progress, int more) {
    long micros = Math.ceilDiv((progress.paceReleased() + more) * MICROS_PER_MINUTE, (long) rate);
    return progress.paceFrom().plus(micros, ChronoUnit.MICROS);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** What a paused or ended redrive released is followed, slowly when it takes its time. */
  private static @Nullable Instant followAt(RedriveProgress progress, Instant now) {
    RedriveCounts counts = progress.counts();
    if (counts.open() == 0) {
      return null;
    }
    return now.plus(counts.waiting() > 0 ? FOLLOW : FOLLOW_SLOWLY);
  }

  @Override
  public RedriveProgress released(RedriveProgress progress, Released done) {
    return progress.released(done.cursor(), done.released(), done.skipped());
  }
}
