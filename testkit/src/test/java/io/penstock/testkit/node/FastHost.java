package io.penstock.testkit.node;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Signal;
import io.penstock.engine.host.SystemHost;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The real machine with time running fast, so that a walk's five seconds are a tenth of one. */
final class FastHost implements Host, InstantSource, AutoCloseable {
  static final int FASTER = 50;
  private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

  private final SystemHost real = new SystemHost();
  private final Random random = new Random(7);
  private final long began = real.nanoTime();

  @Override
  public long nanoTime() {
    return (real.nanoTime() - began) * FASTER;
  }

  /** The ledger's clock. */
  @Override
  public Instant instant() {
    return START.plusNanos(nanoTime());
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Signal newSignal() {
    Signal signal = real.newSignal();
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
        signal.awaitBeyond(seen, most.dividedBy(FASTER));
      }
    };
  }

  @Override
  public void start(String name, Runnable loop) {
    real.start(name, loop);
  }

  @Override
  public void after(Duration delay, Runnable task) {
    real.after(delay.dividedBy(FASTER), task);
  }

  @Override
  public void close() {
    real.close();
  }
}
