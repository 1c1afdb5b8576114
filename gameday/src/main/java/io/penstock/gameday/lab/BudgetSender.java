package io.penstock.gameday.lab;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import java.time.Instant;

/** The product's own rules. */
final class BudgetSender implements Sender {
  private final BudgetSettings settings;
  private BudgetState state;

  BudgetSender(BudgetSettings settings, long seed, Instant start) {
    this.settings = settings;
    state = BudgetState.initial(settings, seed, start);
  }

  @Override
  public Decision take(Instant now) {
    Budget.Asked asked = Budget.ask(state, settings, now);
    state = asked.state();
    if (asked.decision() instanceof Decision.Admit admit) {
      Budget.Debit debit = new Budget.Debit(admit.most(), 0, 0, admit.probe());
      state = Budget.debit(state, settings, debit, now);
    }
    return asked.decision();
  }

  @Override
  public void feed(Feedback feedback, Instant now) {
    state = Budget.feed(state, settings, feedback, now);
  }

  @Override
  public double rate() {
    return state.ratePerSecond(settings);
  }

  @Override
  public boolean parked() {
    return state.parked();
  }
}
