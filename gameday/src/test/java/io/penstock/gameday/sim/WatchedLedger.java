package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.SettleRules;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The ledger as one node of an overlapping world has it: tells the auditor what goes in and comes
 * out, stands still while its node is stopped, at the worst moment too, and fails when it is dead.
 */
final class WatchedLedger {
  private static final AtomicLong TRANSACTIONS = new AtomicLong();

  private final Ledger ledger;
  private final String node;
  private final OverlapAudit audit;
  private volatile CompletableFuture<Void> running = CompletableFuture.completedFuture(null);
  private volatile boolean dead;

  WatchedLedger(Ledger ledger, String node, OverlapAudit audit) {
    this.ledger = ledger;
    this.node = node;
    this.audit = audit;
  }

  String name() {
    return node;
  }

  /** Stops the node until what is returned is completed. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> goesOn = new CompletableFuture<>();
    running = goesOn;
    return goesOn;
  }

  void die() {
    dead = true;
    running.complete(null);
  }

  boolean isDead() {
    return dead;
  }

  Ledger proxy() {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (self, method, arguments) ->
                method.getDeclaringClass() == Object.class
                    ? method.invoke(ledger, arguments)
                    : call(method, arguments == null ? new Object[0] : arguments));
  }

  private void live() {
    running.join();
    if (dead) {
      throw new LedgerException(node + " is dead");
    }
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    live();
    long transaction = TRANSACTIONS.incrementAndGet();
    @Nullable Object[] watched = new @Nullable Object[arguments.length];
    for (int i = 0; i < watched.length; i++) {
      watched[i] =
          switch (arguments[i]) {
            case ClaimRules rules -> new WatchedClaim(rules, transaction);
            case SettleRules rules -> new WatchedSettle(rules, transaction);
            case BudgetRule rule -> watched(rule, transaction);
            case null -> null;
            default -> arguments[i];
          };
    }
    before(method.getName(), arguments);
    Object answer;
    try {
      answer = method.invoke(ledger, watched);
    } catch (InvocationTargetException wrapped) {
      throw wrapped.getCause();
    }
    audit.committed(transaction);
    switch (answer) {
      case Claim claim -> audit.claimed(node, claim);
      case Settled settled -> audit.settled(node, settled);
      case null, default -> {}
    }
    live();
    return answer;
  }

  @SuppressWarnings("unchecked") // the port's signatures
  private void before(String method, Object[] arguments) {
    switch (method) {
      case "settle" -> audit.settles((List<Settlement>) arguments[1]);
      case "cancel" -> audit.cancels((DeliveryKey) arguments[0]);
      default -> {}
    }
  }

  private BudgetRule watched(BudgetRule rule, long transaction) {
    return (budgetId, state, now) -> {
      if (state != null) {
        audit.read(budgetId, state);
      }
      BudgetState after = rule.apply(budgetId, state, now);
      audit.written(transaction, Map.of(budgetId, after));
      return after;
    };
  }

  private final class WatchedClaim implements ClaimRules {
    private final ClaimRules rules;
    private final long transaction;

    WatchedClaim(ClaimRules rules, long transaction) {
      this.rules = rules;
      this.transaction = transaction;
    }

    @Override
    public List<Grant> decide(Instant now, List<Asking> asking) {
      asking.forEach(one -> audit.read(one.budgetId(), one.state()));
      running.join(); // a stop with the locks held
      return rules.decide(now, asking);
    }

    @Override
    public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
      Map<String, BudgetState> states = rules.debit(now, leased);
      audit.written(transaction, states);
      return states;
    }
  }

  private final class WatchedSettle implements SettleRules {
    private final SettleRules rules;
    private final long transaction;

    WatchedSettle(SettleRules rules, long transaction) {
      this.rules = rules;
      this.transaction = transaction;
    }

    @Override
    public List<Move> moves(
        Instant now, List<Settlement> batch, Map<String, LockedBudget> budgets) {
      budgets.values().forEach(one -> audit.read(one.budgetId(), one.state()));
      running.join();
      return rules.moves(now, batch, budgets);
    }

    @Override
    public Map<String, BudgetState> feed(
        Instant now, List<Settlement> applied, Map<String, LockedBudget> budgets) {
      Map<String, BudgetState> states = rules.feed(now, applied, budgets);
      audit.written(transaction, states);
      return states;
    }
  }
}
