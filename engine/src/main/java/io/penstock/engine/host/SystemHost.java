package io.penstock.engine.host;

import io.penstock.budget.SystemAccess;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real machine: platform threads for the loops, one timer thread. */
public final class SystemHost implements Host, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SystemHost.class);

  private final LongAdder stepFailures = new LongAdder();
  private final RandomGenerator random;
  private final ScheduledThreadPoolExecutor timer;

  @SystemAccess("the production host is where the system's chance enters the engine")
  public SystemHost() {
    this.random = new java.security.SecureRandom();
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("penstock-timer").factory());
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  @SystemAccess("the production host is where the system's monotonic clock enters the engine")
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Signal newSignal() {
    return new LockSignal();
  }

  @Override
  public void start(String name, Runnable loop) {
    Thread.ofPlatform()
        .name("penstock-" + name)
        .uncaughtExceptionHandler(
            (thread, failure) -> log.error("{} ended by a bug", thread.getName(), failure))
        .start(loop);
  }

  @Override
  public void after(Duration delay, Runnable task) {
    var _ = timer.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      // The timer would keep it to itself.
      log.error("a task of the timer failed", failure);
      if (failure instanceof OutOfMemoryError end) {
        throw end;
      }
    }
  }

  @Override
  public void stepFailed(String loop, Throwable failure) {
    stepFailures.increment();
  }

  /** How many steps of loops threw so far. */
  public long stepFailures() {
    return stepFailures.sum();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private static final class LockSignal implements Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private long count;

    @Override
    public long count() {
      lock.lock();
      try {
        return count;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void raise() {
      lock.lock();
      try {
        count++;
        raised.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void awaitBeyond(long seen, Duration most) {
      long left = most.toNanos();
      lock.lock();
      try {
        while (count == seen && left > 0) {
          left = raised.awaitNanos(left);
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
    }
  }
}
