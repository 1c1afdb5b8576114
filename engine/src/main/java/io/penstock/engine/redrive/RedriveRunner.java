package io.penstock.engine.redrive;

import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Steps the redrives of a ledger on one node; any number of nodes may do so. Nothing is remembered
 * here: what is to be done, and when, stands in the ledger. {@link #runOnce} for one thread.
 */
public final class RedriveRunner {
  /** Longest sleep; a start or a resume through this node ends it. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(1);

  static final Duration SHORTEST_NAP = Duration.ofMillis(5);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofSeconds(1);

  /** Tasks stepped between two looks at the clock. */
  private static final int AT_ONCE = 50;

  private final Redrives redrives;
  private final String node;
  private final Consumer<Collection<String>> due;
  private final RedriveListener listener;
  private final NodeListener trouble;

  /**
   * @param node unique per process start
   * @param due wakes the claimers for these destinations; must not block
   */
  public RedriveRunner(
      Redrives redrives,
      String node,
      Consumer<Collection<String>> due,
      RedriveListener listener,
      NodeListener trouble) {
    this.redrives = redrives;
    this.node = node;
    this.due = due;
    this.listener = listener;
    this.trouble = trouble;
  }

  /** One step of each task that wants one; returns how long to rest. */
  public Duration runOnce() {
    try {
      Redrives.Due wanting = redrives.due(node, AT_ONCE);
      if (wanting.now().isEmpty()) {
        return nap(wanting.nextIn());
      }
      for (RedriveKey key : wanting.now()) {
        step(key);
      }
      return nap(redrives.due(node, 1));
    } catch (LedgerException failure) {
      trouble.ledgerFailed("redrive", failure);
      return LEDGER_BACK_OFF;
    }
  }

  private static Duration nap(Redrives.Due due) {
    return due.now().isEmpty() ? nap(due.nextIn()) : Duration.ZERO;
  }

  private static Duration nap(Duration next) {
    if (next.compareTo(LONGEST_NAP) > 0) {
      return LONGEST_NAP;
    }
    return next.compareTo(SHORTEST_NAP) < 0 ? SHORTEST_NAP : next;
  }

  private void step(RedriveKey key) {
    switch (redrives.step(key, node, Stepping.RULE)) {
      case Redrives.Stepped.Done(RedriveTask task, RedriveDecision decision, int released) -> {
        if (released > 0) {
          due.accept(List.of(task.destinationId()));
        }
        listener.stepped(task, decision, released);
      }
      case Redrives.Stepped.Elsewhere() -> {}
    }
  }
}
