package io.penstock.budget.permit;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open permits of one destination beside its budget, in memory. Permits of one book expire in
 * the order in which they were taken, as long as the time-out stays the same. Not thread-safe: the
 * caller holds a lock, or a row.
 */
public final class PermitBook {
  /** How much longer than the destination's deadline a permit lives. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  private final Map<String, Permit> open = new LinkedHashMap<>();
  private final String prefix;
  private BudgetState state;
  private long lastNo;

  /**
   * A book without permits.
   *
   * @param prefix makes the ids of this book unlike those of any other
   */
  public PermitBook(BudgetState state, String prefix) {
    this.state = state;
    this.prefix = prefix;
  }

  /** Grants up to {@code most} permits, all of one generation, or says when to come back. */
  public Taken take(BudgetSettings settings, int most, Instant now) {
    expire(settings, now);
    Budget.Asked asked = Budget.ask(state, settings, now);
    state = asked.state();
    if (!(asked.decision() instanceof Decision.Admit admit)) {
      return Taken.denied(asked.decision(), now);
    }
    int count = Math.max(1, Math.min(most, admit.most()));
    state = Budget.debit(state, settings, new Budget.Debit(count, 0, 0, admit.probe()), now);
    List<Permit> granted = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Permit permit =
          new Permit(
              prefix + ++lastNo,
              new Stamp(admit.generation(), admit.probe(), false, false),
              now.plus(settings.timeout()).plus(GRACE));
      open.put(permit.id(), permit);
      granted.add(permit);
    }
    return new Taken.Granted(granted, admit.paceOver());
  }

  /**
   * Books how the request of a permit ended.
   *
   * @return whether it changed anything: an unknown, expired or repeated permit does not
   */
  public boolean feedback(
      BudgetSettings settings, String id, Outcome outcome, Duration took, Instant now) {
    expire(settings, now);
    @Nullable Permit permit = open.remove(id);
    if (permit == null) {
      return false;
    }
    Feedback ended = new Feedback.Ended(permit.stamp(), outcome, took);
    state = Budget.feed(state, settings, ended, now);
    return true;
  }

  /** Frees the slots of permits that nobody came back with. */
  public void expire(BudgetSettings settings, Instant now) {
    Iterator<Permit> oldest = open.values().iterator();
    while (oldest.hasNext()) {
      Permit permit = oldest.next();
      if (permit.expiresAt().isAfter(now)) {
        return;
      }
      oldest.remove();
      state = Budget.feed(state, settings, new Feedback.LeaseLost(permit.stamp()), now);
    }
  }

  /** How many permits are out. */
  public int open() {
    return open.size();
  }

  public BudgetState state() {
    return state;
  }
}
