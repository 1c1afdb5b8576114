package io.penstock.budget.permit;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
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
    PermitRule.Asked asked = PermitRule.take(state, settings, most, now);
    state = asked.state();
    return switch (asked) {
      case PermitRule.Asked.Denied denied -> denied.why();
      case PermitRule.Asked.Granted granted -> {
        List<Permit> permits = new ArrayList<>(granted.count());
        for (int i = 0; i < granted.count(); i++) {
          Permit permit = new Permit(prefix + ++lastNo, granted.stamp(), granted.expiresAt());
          open.put(permit.id(), permit);
          permits.add(permit);
        }
        yield new Taken.Granted(permits, granted.paceOver());
      }
    };
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
    state = PermitRule.ended(state, settings, ended, now);
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
      state = PermitRule.expired(state, settings, permit.stamp(), now);
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
