package io.penstock.testkit.contract;

import io.penstock.engine.redrive.RedriveInput;
import io.penstock.engine.redrive.RedriveProgress;
import io.penstock.engine.redrive.RedriveRule;
import io.penstock.engine.redrive.RedriveSettings;
import java.time.Instant;

/** Breaks off after the release and before the commit. */
record BrokenRedriveRule(RuntimeException failure) implements RedriveRule {
  @Override
  public Ruled decide(
      RedriveSettings settings, RedriveProgress progress, RedriveInput input, Instant now) {
    return TestingRedriveRule.ALL.decide(settings, progress, input, now);
  }

  @Override
  public RedriveProgress released(RedriveProgress progress, Released done) {
    throw failure;
  }
}
