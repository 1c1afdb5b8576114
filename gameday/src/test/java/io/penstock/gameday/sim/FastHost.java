package io.penstock.gameday.sim;

import io.penstock.budget.testing.TestClock;
import io.penstock.engine.host.Host;
import io.penstock.engine.host.Signal;
import io.penstock.engine.host.SystemHost;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** The real machine in a world whose time runs {@link #SPEED} times as fast as ours. */
final class FastHost implements Host, AutoCloseable {
  static final int SPEED = 5;

  private final SystemHost system = new SystemHost();
  private final long origin = system.nanoTime();

  /** How long something of the world lasts on our clocks. */
  static Duration ours(Duration theirs) {
    return theirs.dividedBy(SPEED);
  }

  @Override
  public long nanoTime() {
    return (system.nanoTime() - origin) * SPEED;
  }

  /** The world's time; the ledger's clock is this one. */
  Instant now() {
    return TestClock.START.plusNanos(nanoTime());
  }

  @Override
  public RandomGenerator random() {
    return system.random();
  }

  @Override
  public Signal newSignal() {
    Signal signal = system.newSignal();
    return new Signal() {
      @Override
      public long count() {
        return signal.count();
      }

      @Override
      public void raise() {
        signal.raise();
      }

      @Override
      public void awaitBeyond(long seen, Duration most) {
        signal.awaitBeyond(seen, ours(most));
      }
    };
  }

  @Override
  public void start(String name, Runnable loop) {
    system.start(name, loop);
  }

  @Override
  public void after(Duration delay, Runnable task) {
    system.after(ours(delay), task);
  }

  @Override
  public void close() {
    system.close();
  }
}
