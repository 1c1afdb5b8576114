package io.penstock.testkit.contract;

import io.penstock.engine.redrive.RedriveDecision;
import io.penstock.engine.redrive.RedriveInput;
import io.penstock.engine.redrive.RedriveProgress;
import io.penstock.engine.redrive.RedriveRule;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveState;
import java.time.Duration;
import java.time.Instant;

/** Releases so many at every step of a frozen set, whatever the settings say. */
record TestingRedriveRule(int most) implements RedriveRule {
  static final TestingRedriveRule ALL = new TestingRedriveRule(1_000);

  /** Looks at outcomes and releases nothing. */
  static final TestingRedriveRule NOTHING = new TestingRedriveRule(0);

  @Override
  public Ruled decide(
      RedriveSettings settings, RedriveProgress progress, RedriveInput input, Instant now) {
    Instant again = now.plus(Duration.ofSeconds(1));
    if (most == 0 || !progress.state().active() || progress.state() == RedriveState.PAUSED) {
      return new Ruled(progress, new RedriveDecision.Following("test", "test", again));
    }
    if (!input.frozen()) {
      return new Ruled(progress, new RedriveDecision.Freezing(again));
    }
    RedriveProgress running = in(progress, RedriveState.RUNNING, progress);
    if (progress.exhausted()) {
      return new Ruled(
          in(progress, RedriveState.COMPLETED, progress),
          new RedriveDecision.Complete(
              progress.counts().released(), progress.counts().skipped(), again));
    }
    return new Ruled(running, new RedriveDecision.Release(most, again));
  }

  private static RedriveProgress in(
      RedriveProgress from, RedriveState state, RedriveProgress counted) {
    return new RedriveProgress(
        state,
        from.cursor(),
        from.bound(),
        counted.counts(),
        from.canaryPassed(),
        from.paceFrom(),
        from.paceReleased(),
        from.lookedAt(),
        "test",
        "test");
  }

  @Override
  public RedriveProgress released(RedriveProgress progress, Released done) {
    return new RedriveProgress(
        progress.state(),
        done.cursor(),
        progress.bound(),
        progress.counts().released(done.released()).skipped(done.skipped()),
        progress.canaryPassed(),
        progress.paceFrom(),
        progress.paceReleased(),
        progress.lookedAt(),
        "test",
        "test");
  }
}
