package io.penstock.testkit.contract;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.ClaimRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Simple rules for one claim: an open gate gets what a function says; keeps what it was asked. */
public final class TestingClaimRules implements ClaimRules {
  private final BudgetSettings settings;
  private final Function<Asking, @Nullable Grant> granting;
  private final List<Asking> asked = new ArrayList<>();
  private final List<Leased> debited = new ArrayList<>();
  private @Nullable Instant decidedAt;

  private TestingClaimRules(BudgetSettings settings, Function<Asking, @Nullable Grant> granting) {
    this.settings = settings;
    this.granting = granting;
  }

  /** Grants whatever is due, whatever the budget says. */
  public static TestingClaimRules everything(BudgetSettings settings) {
    return most(settings, LedgerWorld.ALL, LedgerWorld.ALL, LedgerWorld.ALL, LedgerWorld.LEASE);
  }

  /** Grants each destination the same. */
  static TestingClaimRules most(
      BudgetSettings settings, int most, int mostRetries, int mostBatch, Duration lease) {
    return granting(
        settings, asking -> new Grant(asking.destinationId(), most, mostRetries, mostBatch, lease));
  }

  /** Grants what the function says; null = nothing. */
  static TestingClaimRules granting(
      BudgetSettings settings, Function<Asking, @Nullable Grant> granting) {
    return new TestingClaimRules(settings, granting);
  }

  /** Grants what the budget admits. */
  static TestingClaimRules byBudget(BudgetSettings settings, Instant now) {
    return granting(
        settings,
        asking ->
            switch (Budget.ask(asking.state(), settings, now).decision()) {
              case Decision.Admit admit ->
                  new Grant(
                      asking.destinationId(),
                      admit.most(),
                      admit.mostRetries(),
                      admit.mostBatch(),
                      LedgerWorld.LEASE);
              case Decision.Wait wait -> null;
              case Decision.Refuse refuse -> null;
            });
  }

  /** Grants one where the budget admits anything, by the time of the claim. */
  static TestingClaimRules oneByBudget(BudgetSettings settings) {
    TestingClaimRules[] self = new TestingClaimRules[1];
    self[0] =
        granting(
            settings,
            asking -> {
              Instant now = Objects.requireNonNull(self[0].decidedAt());
              boolean admitted =
                  Budget.ask(asking.state(), settings, now).decision() instanceof Decision.Admit;
              return admitted
                  ? new Grant(asking.destinationId(), 1, 1, 1, LedgerWorld.LEASE)
                  : null;
            });
    return self[0];
  }

  @Override
  public List<Grant> decide(Instant now, List<Asking> asking) {
    decidedAt = now;
    asked.addAll(asking);
    List<Grant> grants = new ArrayList<>();
    for (Asking one : asking) {
      Grant grant = one.gate().closed() == null ? granting.apply(one) : null;
      if (grant != null) {
        grants.add(grant);
      }
    }
    return grants;
  }

  @Override
  public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
    debited.addAll(leased);
    Map<String, BudgetState> states = new LinkedHashMap<>();
    for (Asking one : asked) {
      List<Leased> its =
          leased.stream()
              .filter(lease -> lease.key().destinationId().equals(one.destinationId()))
              .toList();
      if (!its.isEmpty()) {
        BudgetState before = states.getOrDefault(one.budgetId(), one.state());
        states.put(one.budgetId(), Budget.debit(before, settings, debitOf(its), now));
      }
    }
    return states;
  }

  private static Budget.Debit debitOf(List<Leased> leased) {
    int retries = (int) leased.stream().filter(one -> one.lane() == Lane.RETRY).count();
    int batch = (int) leased.stream().filter(one -> one.urgency() == Urgency.BATCH).count();
    return new Budget.Debit(leased.size(), retries, batch, false);
  }

  /** What the ledger asked for, in its order. */
  List<Asking> asked() {
    return asked;
  }

  /** What the ledger said was leased. */
  List<Leased> debited() {
    return debited;
  }

  @Nullable Instant decidedAt() {
    return decidedAt;
  }
}
