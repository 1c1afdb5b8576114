package io.penstock.testkit.contract;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.HeldJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Simple rules for a claim of jobs: as those of any claim, and each goes to a worker of its own.
 */
final class TestingJobClaims implements ClaimRules {
  private final BudgetSettings settings;
  private final TestingClaimRules rules;

  private TestingJobClaims(BudgetSettings settings, TestingClaimRules rules) {
    this.settings = settings;
    this.rules = rules;
  }

  /** Grants so many, whatever the budget says. */
  static TestingJobClaims most(BudgetSettings settings, int most) {
    return new TestingJobClaims(
        settings, TestingClaimRules.most(settings, most, most, most, LedgerWorld.LEASE));
  }

  /** Grants what the budget admits, one at most. */
  static TestingJobClaims byBudget(BudgetSettings settings) {
    return new TestingJobClaims(settings, TestingClaimRules.oneByBudget(settings));
  }

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    return rules.decide(now, asking);
  }

  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    return rules.debit(now, leased);
  }

  @Override
  public List<HeldJob> held(Instant now, List<Leased> leased) {
    List<HeldJob> held = new ArrayList<>();
    for (Leased lease : leased) {
      Duration charged =
          rules.asked().stream()
              .filter(one -> one.destinationId().equals(lease.key().destinationId()))
              .map(one -> Budget.chargePerJob(one.state(), settings, now))
              .findFirst()
              .orElse(Duration.ZERO);
      held.add(new HeldJob(lease, "worker-" + held.size(), "pool", now, charged, false, 0, false));
    }
    return held;
  }
}
