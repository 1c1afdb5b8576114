package io.penstock.budget.permit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PermitBookTest {
  private static final Outcome OK = new Outcome.Delivered(200, "ok", Hint.NONE);
  private static final Outcome FAILED = new Outcome.Transient(500, "error", Hint.NONE);

  private final TestClock clock = new TestClock();
  private final BudgetSettings settings = new BudgetSettings(10, 10, 3, Duration.ofSeconds(15));
  private final PermitBook book =
      new PermitBook(BudgetState.initial(settings, 1, clock.instant()), "p");

  private Taken take(int most) {
    return book.take(settings, most, clock.instant());
  }

  private boolean feedback(Permit permit, Outcome outcome) {
    return book.feedback(settings, permit.id(), outcome, Duration.ofMillis(20), clock.instant());
  }

  @Test
  void aPermitHoldsASlotUntilItsFeedbackAndCountsOnce() {
    clock.advance(Duration.ofSeconds(1));
    Taken.Granted three = (Taken.Granted) take(5);
    assertThat(three.permits()).hasSize(3).extracting(Permit::id).doesNotHaveDuplicates();
    assertThat(take(1)).isInstanceOf(Taken.Denied.class);
    Permit first = three.permits().getFirst();
    assertThat(feedback(first, OK)).isTrue();
    assertThat(feedback(first, OK)).as("a repeated feedback changes nothing").isFalse();
    assertThat(book.state().inFlight()).isEqualTo(2);
    assertThat(take(5)).isInstanceOf(Taken.Granted.class);
  }

  @Test
  void anExpiredPermitFreesItsSlotAndItsFeedbackChangesNothing() {
    clock.advance(Duration.ofSeconds(1));
    Taken.Granted granted = (Taken.Granted) take(1);
    clock.advance(Duration.ofSeconds(20));
    BudgetState before = book.state();
    assertThat(before.inFlight()).isEqualTo(1);
    assertThat(feedback(granted.permits().getFirst(), FAILED)).isFalse();
    assertThat(book.state().inFlight()).isZero();
    assertThat(book.open()).isZero();
  }

  @Test
  void whoIsDeniedIsToldWhenInBothForms() {
    Taken.Granted first = (Taken.Granted) take(10);
    assertThat(first.permits()).hasSize(1);
    assertThat(take(1))
        .isInstanceOfSatisfying(
            Taken.Denied.class,
            denied -> {
              assertThat(denied.decision()).isInstanceOf(Decision.Wait.class);
              assertThat(denied.retryAfterMillis()).isEqualTo(100);
              assertThat(denied.retryAfterSeconds()).isEqualTo(1);
            });
  }

  @Test
  void aParkedDestinationGrantsTheProbeAlone() {
    for (int i = 0; i < 300 && !book.state().parked(); i++) {
      clock.advance(Duration.ofMillis(250));
      if (take(1) instanceof Taken.Granted granted) {
        feedback(granted.permits().getFirst(), FAILED);
      }
    }
    assertThat(book.state().parked()).isTrue();
    clock.advance(Duration.ofSeconds(10));
    Taken.Granted probe = (Taken.Granted) take(5);
    assertThat(probe.permits()).hasSize(1);
    assertThat(probe.permits().getFirst().stamp().probe()).isTrue();
    assertThat(take(5)).isInstanceOf(Taken.Denied.class);
    feedback(probe.permits().getFirst(), OK);
    assertThat(book.state().parked()).isFalse();
  }
}
