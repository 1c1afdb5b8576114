package io.penstock.engine.host;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the waiting of one step: runs it, sleeps as long as it says or until it is woken. A step
 * that throws, be it an Error, is a bug or a circumstance it did not expect: it is logged, the host
 * is told, and the step is tried again after {@link #AFTER_FAILURE}, so that no loop ever ends by
 * itself. Two go through: a process without memory must end, and so must a thread whose host has
 * {@linkplain HostEnded ended}. Safe for use by many threads.
 */
public final class Loop {
  /** Rest after a step that threw, so that a lasting fault does not spin. */
  static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(Loop.class);

  private final String name;
  private final Step step;
  private final Host host;
  private final Signal signal;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopped;

  /** The work of a loop. */
  @FunctionalInterface
  public interface Step {
    /** Does what there is to do and returns how long it may sleep; zero = run again at once. */
    Duration runOnce();
  }

  public Loop(String name, Host host, Step step) {
    this.name = name;
    this.host = host;
    this.step = step;
    this.signal = host.newSignal();
  }

  public void start() {
    host.start(name, this::run);
  }

  /** Makes it run its step soon. */
  public void wake() {
    signal.raise();
  }

  /** Lets the current step end and runs no more. Returns at once. */
  public void stop() {
    stopped = true;
    signal.raise();
  }

  /** Whether the loop has ended after {@link #stop}. */
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  private void run() {
    try {
      while (!stopped) {
        long seen = signal.count();
        Duration nap = runStep();
        if (nap.isPositive() && !stopped) {
          signal.awaitBeyond(seen, nap);
        }
      }
    } finally {
      ended.countDown();
    }
  }

  private Duration runStep() {
    try {
      return step.runOnce();
    } catch (HostEnded | OutOfMemoryError end) {
      throw end;
    } catch (RuntimeException | Error failure) {
      log.error("{} failed; it goes on in {} s", name, AFTER_FAILURE.toSeconds(), failure);
      host.stepFailed(name, failure);
      return AFTER_FAILURE;
    }
  }
}
