package io.penstock.gameday.sim;

import io.penstock.engine.ledger.LedgerException;
import io.penstock.testkit.memory.Interleave;
import io.penstock.testkit.memory.MemoryLedger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's server as the world disturbs it: slow between any two steps, failing before or after
 * the commit, and ending transactions that their node left idle.
 */
final class SimLedgerServer implements Interleave {
  /** As the real one's {@code idle_in_transaction_session_timeout}. */
  private static final long IDLE_NANOS = 2_000_000_000L;

  private static final long LOOK_NANOS = 500_000_000L;

  /** Every call takes its time, or a loop could spin at one instant for ever. */
  private static final long ROUND_TRIP_NANOS = 300_000L;

  /** Fits between two batches: nobody notices these delays but the interleaving. */
  private static final long SHORT_NANOS = 4_000_000L;

  private final Baton baton;
  private final RandomGenerator random;
  private final Auditor auditor;
  private final boolean atOnce;
  private final Map<Long, Long> idleSince = new LinkedHashMap<>();
  private @Nullable MemoryLedger ledger;
  private long slowUntil;
  private long slowNanos;
  private long failsUntil;
  private double failsBefore;
  private double failsAfter;
  private boolean calm;
  private @Nullable LedgerException lastAfterCommit;

  /**
   * A server without its ledger.
   *
   * @param atOnce whether each call takes effect at one instant, or anything may come between
   */
  SimLedgerServer(Baton baton, RandomGenerator random, Auditor auditor, boolean atOnce) {
    this.baton = baton;
    this.random = random;
    this.auditor = auditor;
    this.atOnce = atOnce;
  }

  /** Starts to end idle transactions. */
  void serve(MemoryLedger served) {
    ledger = served;
    look(served);
  }

  private void look(MemoryLedger served) {
    for (Map.Entry<Long, Long> idle : List.copyOf(idleSince.entrySet())) {
      if (baton.now() - idle.getValue() > IDLE_NANOS) {
        idleSince.remove(idle.getKey());
        served.abort(idle.getKey());
      }
    }
    baton.at(baton.now() + LOOK_NANOS, null, () -> look(served));
  }

  /** For a while, one step in ten takes up to so long. */
  void slow(Duration during, Duration most) {
    slowUntil = baton.now() + during.toNanos();
    slowNanos = most.toNanos();
  }

  /** For a while, steps fail with these chances, before the commit and after it. */
  void fail(Duration during, double before, double after) {
    failsUntil = baton.now() + during.toNanos();
    failsBefore = before;
    failsAfter = after;
  }

  /** Whether this is the failure of a call that took effect all the same. */
  boolean brokeAfterCommit(Throwable failure) {
    return failure.equals(lastAfterCommit);
  }

  /** From now on nothing is slow and nothing fails. */
  void calm() {
    calm = true;
  }

  @Override
  public void at(Point point) {
    if (baton.current() == null) {
      return; // the scheduler itself, outside of simulated time
    }
    if (point.step() == Step.BEGIN) {
      auditor.began(point.transaction());
    }
    long delay = delay(point) + (point.step() == Step.BEGIN ? ROUND_TRIP_NANOS : 0);
    if (delay > 0) {
      idle(point, () -> baton.sleep(delay));
    }
    if (!calm && baton.now() < failsUntil) {
      boolean after = point.step() == Step.COMMITTED;
      if (random.nextDouble() < (after ? failsAfter : failsBefore)) {
        LedgerException broke =
            new LedgerException(
                after ? "the connection broke after the commit" : "the connection broke");
        lastAfterCommit = after ? broke : lastAfterCommit;
        throw broke;
      }
    }
    if (point.step() == Step.COMMITTED) {
      auditor.returned(point.transaction());
    }
  }

  private void idle(Point point, Runnable wait) {
    idleSince.put(point.transaction(), baton.now());
    try {
      wait.run();
    } finally {
      idleSince.remove(point.transaction());
    }
  }

  private long delay(Point point) {
    if (calm || (atOnce && point.step() != Step.BEGIN)) {
      return 0;
    }
    int draw = random.nextInt(100);
    if (baton.now() < slowUntil && draw < 10) {
      return 1 + random.nextLong(slowNanos);
    }
    return draw < 22 ? 1 + random.nextLong(SHORT_NANOS) : 0;
  }

  @Override
  public boolean await(BooleanSupplier ready, Duration most) {
    if (baton.current() == null) {
      return ready.getAsBoolean();
    }
    return baton.await(this, ready, most.toNanos());
  }

  @Override
  public void released() {
    baton.changed(this);
  }

  @Override
  public boolean picksFromOldSnapshot() {
    return !atOnce && random.nextInt(3) == 0;
  }
}
