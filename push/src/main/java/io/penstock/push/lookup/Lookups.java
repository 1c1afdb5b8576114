package io.penstock.push.lookup;

import io.penstock.push.lookup.Lookups.Result.Crowded;
import io.penstock.push.lookup.Lookups.Result.Got;
import io.penstock.push.lookup.Lookups.Result.Late;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers of something slow that may hang (names, secrets), kept for a short time. The asking
 * happens in a bounded pool, once at a time per key; the caller waits no longer than it wants to.
 * While an answer that has aged is asked for anew, the old one serves, so that one hanging key
 * cannot delay others that are known. Safe for use by many threads.
 *
 * @param <K> what is looked up
 * @param <V> the answer, good or bad: the source never throws for an expected refusal
 */
public final class Lookups<K, V> {

  /**
   * How long an answer serves.
   *
   * @param fresh without asking again
   * @param stale while a newer one is being asked for; zero for an answer that must not outlive its
   *     freshness
   * @param replaces whether it takes the place of an older answer that could still serve; false for
   *     answers that only say that nobody answered
   */
  public record Life(Duration fresh, Duration stale, boolean replaces) {}

  /** How a look-up ended. */
  public sealed interface Result<V> {
    /** An answer. */
    record Got<V>(V value) implements Result<V> {}

    /** Nobody answered within the caller's patience; the look-up goes on. */
    record Late<V>() implements Result<V> {}

    /** The pool's queue is full: too many look-ups hang at once. */
    record Crowded<V>() implements Result<V> {}
  }

  private record Answer<V>(V value, long freshUntil, long staleUntil) {}

  private final Function<K, V> source;
  private final Function<V, Life> life;
  private final Executor pool;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<K, Answer<V>> entries;
  private final Map<K, CompletableFuture<V>> flights = new HashMap<>();

  /**
   * @param source asks; blocks
   * @param life how long an answer serves
   * @param capacity answers kept; the least recently used go first
   * @param pool runs the source; bounded, and throws RejectedExecutionException when it is full
   * @param nanos a monotonic clock
   */
  public Lookups(
      Function<K, V> source,
      Function<V, Life> life,
      int capacity,
      Executor pool,
      LongSupplier nanos) {
    this.source = source;
    this.life = life;
    this.pool = pool;
    this.nanos = nanos;
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Answer<V>> eldest) {
            return size() > capacity;
          }
        };
  }

  /** The answer for a key, waiting at most {@code patience} for one that is not at hand. */
  public Result<V> get(K key, Duration patience) throws InterruptedException {
    Ticket<V> ticket = enter(key);
    if (ticket.first()) {
      launch(key, ticket.flight());
    }
    Answer<V> kept = ticket.kept();
    return kept == null ? await(ticket.flight(), patience) : new Got<>(kept.value());
  }

  /**
   * What a caller finds.
   *
   * @param kept an answer that serves now; null when there is none
   * @param flight the look-up that is on its way, or a finished one when the kept answer is fresh
   * @param first whether the caller has to start it
   */
  private record Ticket<V>(@Nullable Answer<V> kept, CompletableFuture<V> flight, boolean first) {}

  private Ticket<V> enter(K key) {
    lock.lock();
    try {
      long now = nanos.getAsLong();
      Answer<V> entry = entries.get(key);
      if (entry != null && now - entry.freshUntil() < 0) {
        return new Ticket<>(entry, CompletableFuture.completedFuture(entry.value()), false);
      }
      Answer<V> kept = entry != null && now - entry.staleUntil() < 0 ? entry : null;
      CompletableFuture<V> flying = flights.get(key);
      if (flying != null) {
        return new Ticket<>(kept, flying, false);
      }
      CompletableFuture<V> flight = new CompletableFuture<>();
      flights.put(key, flight);
      return new Ticket<>(kept, flight, true);
    } finally {
      lock.unlock();
    }
  }

  /** Starts the flight; a full pool ends it for all who wait. */
  private void launch(K key, CompletableFuture<V> flight) {
    try {
      pool.execute(() -> fly(key, flight));
    } catch (RejectedExecutionException e) {
      land(key);
      flight.completeExceptionally(e);
    }
  }

  private void fly(K key, CompletableFuture<V> flight) {
    try {
      V value = source.apply(key);
      keep(key, value);
      flight.complete(value);
    } catch (Throwable e) { // whatever it was, those who wait must hear of it
      land(key);
      flight.completeExceptionally(e);
    }
  }

  private void land(K key) {
    lock.lock();
    try {
      flights.remove(key);
    } finally {
      lock.unlock();
    }
  }

  private void keep(K key, V value) {
    Life span = life.apply(value);
    lock.lock();
    try {
      long now = nanos.getAsLong();
      long freshUntil = now + span.fresh().toNanos();
      Answer<V> old = entries.get(key);
      boolean oldServes = old != null && now - old.staleUntil() < 0;
      entries.put(
          key,
          old != null && oldServes && !span.replaces()
              ? new Answer<>(old.value(), Math.min(freshUntil, old.staleUntil()), old.staleUntil())
              : new Answer<>(value, freshUntil, freshUntil + span.stale().toNanos()));
      flights.remove(key);
    } finally {
      lock.unlock();
    }
  }

  private static <V> Result<V> await(CompletableFuture<V> flight, Duration patience)
      throws InterruptedException {
    try {
      return new Got<>(flight.get(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      return new Late<>();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RejectedExecutionException) {
        return new Crowded<>();
      }
      throw new IllegalStateException("a look-up ended in a bug", e.getCause());
    }
  }
}
