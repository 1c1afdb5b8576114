package io.penstock.testkit.contract;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.JobFeedback;
import io.penstock.budget.Outcome;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.CompleteRun;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRules;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.ledger.Settlement.AttemptRow;
import io.penstock.engine.ledger.TubeCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Simple rules for ends of jobs: every job ends in the same way; budgets are fed. */
final class TestingJobRules implements JobRules {
  private final BudgetSettings settings;
  private final BiFunction<HeldJob, Instant, Settlement> ending;
  private final TestingSettleRules moves;

  /** What its complete runs bring; null = none of them is complete. */
  private @Nullable List<String> artifacts;

  private TestingJobRules(
      BudgetSettings settings,
      BiFunction<HeldJob, Instant, Settlement> ending,
      TestingSettleRules moves) {
    this.settings = settings;
    this.ending = ending;
    this.moves = moves;
  }

  /** All of them end well. */
  static TestingJobRules completes(BudgetSettings settings) {
    return new TestingJobRules(settings, TestingJobRules::completed, TestingSettleRules.delivers());
  }

  private static Settlement completed(HeldJob held, Instant now) {
    Duration took = held.heldAt(now);
    var outcome = new Outcome.Delivered(0, "completed", Hint.NONE);
    return new Settlement(
        held.lease(),
        new Feedback.Ended(held.stamp(), outcome, took),
        row(held, took, "delivered"),
        null,
        new JobFeedback.Ended(held.stamp(), outcome, took, held.charged(), false));
  }

  private static AttemptRow row(HeldJob held, Duration took, String outcome) {
    return new AttemptRow(
        held.heldFrom(),
        took.toNanos() / 1_000,
        outcome,
        "said_so",
        0,
        new byte[0],
        null,
        held.worker());
  }

  /** All of their leases have run out; they are tried again at this time. */
  static TestingJobRules losesAt(BudgetSettings settings, Instant again) {
    return new TestingJobRules(
        settings, (held, _) -> lost(held), TestingSettleRules.retryAt(again));
  }

  private static Settlement lost(HeldJob held) {
    Duration took = held.heldAt(held.lease().leaseUntil());
    return new Settlement(
        held.lease(),
        new Feedback.LeaseLost(held.stamp()),
        row(held, took, "unknown"),
        null,
        new JobFeedback.Lost(held.stamp(), took, held.charged(), held.lent()));
  }

  /** All of them are handed back untouched. */
  static TestingJobRules handsBack(BudgetSettings settings) {
    return new TestingJobRules(
        settings,
        (held, _) ->
            new Settlement(
                held.lease(),
                new Feedback.HandedBack(held.stamp()),
                null,
                null,
                new JobFeedback.HandedBack(held.stamp(), held.charged())),
        TestingSettleRules.keepsPlace());
  }

  @Override
  public Settlement settlement(Instant now, HeldJob held, int place) {
    return ending.apply(held, now);
  }

  /** All of them end well, and were complete runs with these artifacts. */
  static TestingJobRules completesWith(BudgetSettings settings, String... artifacts) {
    TestingJobRules rules = completes(settings);
    rules.artifacts = List.of(artifacts);
    return rules;
  }

  @Override
  public List<CompleteRun> completeRuns(List<Settlement> applied) {
    List<CompleteRun> runs = new ArrayList<>();
    for (Settlement one : applied) {
      String item = one.lease().content().item();
      if (artifacts != null && item != null) {
        runs.add(new CompleteRun(one.lease().key(), one.lease().leaseNo(), item, artifacts));
      }
    }
    return runs;
  }

  @Override
  public List<TubeCount> counts(List<Settlement> applied) {
    return applied.stream()
        .map(one -> one.lease().key().destinationId())
        .distinct()
        .sorted()
        .map(id -> new TubeCount(id, applied.size(), 0, 0, 0, 1, 1, 0, true))
        .toList();
  }

  @Override
  public List<Move> moves(Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
    return moves.moves(now, batch, budgets);
  }

  @Override
  public Map<String, BudgetState> feed(
      Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
    Map<String, BudgetState> states = new LinkedHashMap<>();
    for (Settlement settlement : applied) {
      LockedBudget budget = budgets.get(settlement.lease().key().destinationId());
      if (budget == null || settlement.job() == null) {
        throw new AssertionError("no budget was locked for " + settlement.lease().key());
      }
      BudgetState before = states.getOrDefault(budget.budgetId(), budget.state());
      states.put(budget.budgetId(), Budget.feedJob(before, settings, settlement.job(), now));
    }
    return states;
  }
}
