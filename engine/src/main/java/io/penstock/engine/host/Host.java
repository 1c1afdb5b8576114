package io.penstock.engine.host;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What the engine asks of the machine that it runs on: threads, timers, signals, a monotonic clock
 * and chance. Production gives it the real ones ({@link SystemHost}), the simulator its own, and
 * then the whole engine replays from a seed. Safe for use by many threads.
 */
public interface Host {

  /** A monotonic clock in nanoseconds; only differences mean anything. */
  long nanoTime();

  /** Chance, for jitter and phases. */
  RandomGenerator random();

  /** A new signal, not raised. */
  Signal newSignal();

  /** Runs a loop on a thread of its own until it returns. */
  void start(String name, Runnable loop);

  /** Runs a short task that does not block, after a delay. */
  void after(Duration delay, Runnable task);

  /** A step of a loop threw; it is logged already, and the loop goes on. */
  default void stepFailed(String loop, Throwable failure) {}
}
