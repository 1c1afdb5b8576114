package io.penstock.testkit.memory;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Lets a test act at every point; never waits for a lock: what is locked stays so. */
final class StoppingInterleave implements Interleave {
  Consumer<Point> at = point -> {};
  boolean old;

  @Override
  public void at(Point point) {
    at.accept(point);
  }

  @Override
  public boolean await(BooleanSupplier ready, Duration most) {
    return ready.getAsBoolean();
  }

  @Override
  public void released() {}

  @Override
  public boolean picksFromOldSnapshot() {
    return old;
  }
}
