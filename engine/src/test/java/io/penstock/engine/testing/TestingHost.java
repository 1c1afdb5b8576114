package io.penstock.engine.testing;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** A machine whose clock the test moves; its timers run when it passes them. */
public final class TestingHost implements Host {
  private final Random random = new Random(1);
  private final List<Timer> timers = new ArrayList<>();
  private long nanos = 5_000_000_000L;

  private record Timer(long atNanos, Runnable task) {}

  public void pass(Duration time) {
    nanos += time.toNanos();
    List<Timer> due = timers.stream().filter(timer -> timer.atNanos <= nanos).toList();
    timers.removeAll(due);
    due.forEach(timer -> timer.task.run());
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Signal newSignal() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void start(String name, Runnable loop) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void after(Duration delay, Runnable task) {
    timers.add(new Timer(nanos + delay.toNanos(), task));
  }
}
