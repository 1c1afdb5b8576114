package io.penstock.engine.tube;

import io.penstock.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gathers what many callers ask of one shard into transactions: while one runs, the next gathers.
 * {@link #ask} may be called by many threads; {@link #runOnce} by one.
 *
 * @param <I> what is asked
 * @param <A> what is answered
 */
final class Desk<I, A> {
  /** Per transaction: bounds how long its row locks are held. */
  static final int MOST = 500;

  /** What may wait while the ledger is slow; beyond it callers are told to come back. */
  static final int MOST_WAITING = 20_000;

  /** Longest sleep; a call ends it. */
  static final Duration LONGEST_NAP = Duration.ofSeconds(5);

  private final Work<I, A> work;
  private final Runnable wake;
  private final Deque<Asked<I, A>> waiting = new ArrayDeque<>();

  /** One transaction in one shard: the answers in the order of what was asked. */
  @FunctionalInterface
  interface Work<I, A> {
    List<A> on(int shard, List<I> asked);
  }

  private record Asked<I, A>(int shard, I what, Reply<A> reply) {}

  Desk(Work<I, A> work, Runnable wake) {
    this.work = work;
    this.wake = wake;
  }

  /** Takes one question. Never blocks. */
  void ask(int shard, I what, Reply<A> reply) {
    boolean full;
    synchronized (waiting) {
      full = waiting.size() >= MOST_WAITING;
      if (!full) {
        waiting.add(new Asked<>(shard, what, reply));
      }
    }
    if (full) {
      reply.fail(
          new LedgerException(
              "%,d calls wait for the ledger already, wanted at most that"
                  .formatted(MOST_WAITING)));
    } else {
      wake.run();
    }
  }

  /** Answers a batch; returns how long there is nothing to do. */
  Duration runOnce() {
    Map<Integer, List<Asked<I, A>>> byShard = new TreeMap<>();
    synchronized (waiting) {
      for (int i = 0; i < MOST && !waiting.isEmpty(); i++) {
        Asked<I, A> one = waiting.poll();
        byShard.computeIfAbsent(one.shard(), _ -> new ArrayList<>()).add(one);
      }
    }
    if (byShard.isEmpty()) {
      return LONGEST_NAP;
    }
    byShard.forEach(this::answer);
    return Duration.ZERO;
  }

  private void answer(int shard, List<Asked<I, A>> batch) {
    List<A> answers;
    try {
      answers = work.on(shard, batch.stream().map(Asked::what).toList());
    } catch (RuntimeException failure) {
      batch.forEach(one -> one.reply().fail(failure));
      if (failure instanceof LedgerException) {
        return;
      }
      throw failure;
    } catch (Error bug) {
      // Those who wait must not wait for ever; the loop logs the bug.
      batch.forEach(one -> one.reply().fail(new IllegalStateException("a bug", bug)));
      throw bug;
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).reply().answer(answers.get(i));
    }
  }
}
