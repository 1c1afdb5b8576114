package io.penstock.budget.memory;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One destination's budget in memory: a lock around the pure functions of {@link Budget}. Put one
 * in front of whatever sends, ask it before every send, and tell it once how each send ended:
 *
 * <pre>{@code
 * switch (budget.take(1)) {
 *   case Decision.Admit go -> budget.ended(go, send(message), took);
 *   case Decision.Wait wait -> comeBackAt(wait.until());
 *   case Decision.Refuse refuse -> setAside(refuse.reason());
 * }
 * }</pre>
 *
 * <p>Safe for any number of threads; the lock is held for well under a microsecond and never while
 * anything is sent.
 */
public final class MemoryBudget {
  /** A wait is looked at again after this even if no answer comes in between. */
  private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private BudgetSettings settings;
  private BudgetState state;

  /**
   * A new budget.
   *
   * @param clock where time comes from, for instance {@link InstantSource#system}
   * @param seed feeds the jitter; give every process another one
   */
  public MemoryBudget(BudgetSettings settings, InstantSource clock, long seed) {
    this.settings = settings;
    this.clock = clock;
    state = BudgetState.initial(settings, seed, clock.instant());
  }

  /** A budget that goes on from a state that was kept, for instance over a restart. */
  public MemoryBudget(BudgetSettings settings, InstantSource clock, BudgetState state) {
    this.settings = settings;
    this.clock = clock;
    this.state = state;
  }

  /**
   * Takes up to {@code most}, at least 1, without waiting. Whatever an {@link Decision.Admit} says
   * is taken, and each of them must come back exactly once, by {@link #ended} or {@link #unsent}.
   */
  public Decision take(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most is " + most + ", wanted at least 1");
    }
    lock.lock();
    try {
      Instant now = clock.instant();
      Budget.Asked asked = Budget.ask(state, settings, now);
      state = asked.state();
      if (!(asked.decision() instanceof Decision.Admit admit)) {
        return asked.decision();
      }
      int count = Math.min(most, admit.most());
      state = Budget.debit(state, settings, new Budget.Debit(count, 0, 0, admit.probe()), now);
      return new Decision.Admit(
          count,
          Math.min(count, admit.mostRetries()),
          Math.min(count, admit.mostBatch()),
          admit.probe(),
          admit.generation(),
          admit.paceOver());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes one, waiting for as long as it takes. Only for callers that have nothing else to do: a
   * thread that serves several destinations asks with {@link #take} instead.
   *
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public Decision.Admit takeOne() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        switch (take(1)) {
          case Decision.Admit admit -> {
            return admit;
          }
          case Decision.Wait wait -> changed.awaitNanos(nap(wait.until()));
          case Decision.Refuse _ -> changed.awaitNanos(LONGEST_NAP.toNanos());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private long nap(Instant until) {
    Duration wanted = Duration.between(clock.instant(), until);
    return Math.min(LONGEST_NAP.toNanos(), wanted.toNanos());
  }

  /** Books how one of those taken under {@code admit} ended, and how long its round trip was. */
  public void ended(Decision.Admit admit, Outcome outcome, Duration took) {
    feed(new Feedback.Ended(stamp(admit), outcome, took));
  }

  /** Gives back one of those taken under {@code admit} for which nothing was sent. */
  public void unsent(Decision.Admit admit) {
    feed(new Feedback.HandedBack(stamp(admit)));
  }

  /** Books one feedback; each of those taken may be fed back once. */
  public void feed(Feedback feedback) {
    lock.lock();
    try {
      state = Budget.feed(state, settings, feedback, clock.instant());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Puts other settings in force, at once; nothing is refilled. */
  public void change(BudgetSettings newSettings) {
    lock.lock();
    try {
      settings = newSettings;
      // What has accrued until now has accrued at the old rate; asking puts the new one in force.
      state = Budget.ask(state, settings, clock.instant()).state();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Opens a budget that was closed by a run of rejections or a 410, with an empty bucket. */
  public void reopen() {
    lock.lock();
    try {
      state = Budget.reopen(state, settings, clock.instant());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The state of this moment, to be shown or kept. */
  public BudgetState state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  private static Stamp stamp(Decision.Admit admit) {
    return new Stamp(admit.generation(), admit.probe(), false, false);
  }
}
