package io.penstock.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReopenedParkTest {
  private static final BudgetSettings SETTINGS =
      new BudgetSettings(50, 50, 10, Duration.ofSeconds(5));

  private final TestClock clock = new TestClock();
  private BudgetState state = BudgetState.initial(SETTINGS, 1, clock.instant());

  @Test
  void aResumeWhileAProbeIsOutLetsNoSecondOneGo() {
    while (!state.parked()) {
      clock.advance(Duration.ofSeconds(1));
      failOnce();
    }
    clock.advance(Duration.ofSeconds(10));
    assertThat(Objects.requireNonNull(admitted()).probe()).isTrue();
    state = Budget.debit(state, SETTINGS, new Budget.Debit(1, 0, 0, true), clock.instant());

    state = Budget.reopen(state, SETTINGS, clock.instant());

    assertThat(admitted()).isNull();
    clock.advance(SETTINGS.timeout().plusSeconds(6));
    assertThat(Objects.requireNonNull(admitted()).probe()).isTrue();
  }

  private void failOnce() {
    Decision.Admit admit = Objects.requireNonNull(admitted());
    state = Budget.debit(state, SETTINGS, new Budget.Debit(1, 0, 0, false), clock.instant());
    Stamp stamp = new Stamp(admit.generation(), false, false, false);
    Outcome refused = new Outcome.Transient(0, "connect_refused", Hint.NONE);
    Feedback ended = new Feedback.Ended(stamp, refused, Duration.ofMillis(5));
    state = Budget.feed(state, SETTINGS, ended, clock.instant());
  }

  private Decision.@Nullable Admit admitted() {
    return Budget.ask(state, SETTINGS, clock.instant()).decision() instanceof Decision.Admit admit
        ? admit
        : null;
  }
}
