package io.penstock.gameday.sim;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Signal;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The machine under one simulated node. Its monotonic clock drifts and jumps ahead, and never goes
 * back, as real ones never do. Its wall clock is wrong and steps either way; the engine has no way
 * to ask it, so that only a planted fault does.
 */
final class SimHost implements Host {
  /** Of four sleeps one is preceded by a moment in which anything else may happen. */
  private static final int MOMENT_ONE_IN = 4;

  private static final long MOMENT_NANOS = 1_500_000;

  private final Baton baton;
  private final Baton.Host process;
  private final RandomGenerator random;
  private final double drift;
  private final boolean forgetful;
  private long jumped;
  private Duration wallOff = Duration.ZERO;

  /**
   * A machine.
   *
   * @param drift of its clock: 1.0001 runs fast by 100 ppm
   * @param forgetful a planted fault: signals raised while nobody waits are lost
   */
  SimHost(
      Baton baton, Baton.Host process, RandomGenerator random, double drift, boolean forgetful) {
    this.baton = baton;
    this.process = process;
    this.random = random;
    this.drift = drift;
    this.forgetful = forgetful;
  }

  void jump(Duration ahead) {
    jumped += ahead.toNanos();
  }

  /** Steps the wall clock, either way. */
  void stepWall(Duration by) {
    wallOff = wallOff.plus(by);
  }

  /** How far the wall clock is ahead of the true time. */
  Duration wallOff() {
    return wallOff;
  }

  @Override
  public long nanoTime() {
    return (long) (baton.now() * drift) + jumped;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Signal newSignal() {
    return new SimSignal();
  }

  @Override
  public void start(String name, Runnable loop) {
    baton.start(process, process.name + "/" + name, loop);
  }

  @Override
  public void after(Duration delay, Runnable task) {
    baton.at(
        baton.now() + (long) (delay.toNanos() / drift),
        process,
        () -> {
          if (!process.dead) {
            task.run();
          }
        });
  }

  private final class SimSignal implements Signal {
    private long count;

    @Override
    public long count() {
      return count;
    }

    @Override
    public void raise() {
      count++;
      baton.changed(this);
    }

    @Override
    public void awaitBeyond(long seen, Duration most) {
      if (random.nextInt(MOMENT_ONE_IN) == 0) {
        baton.sleep(random.nextLong(MOMENT_NANOS));
      }
      long from = forgetful ? count : seen;
      baton.await(this, () -> count > from, (long) (most.toNanos() / drift));
    }
  }
}
