package io.penstock.server.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and Ctrl-C, as something to wait for: the program ends in its own order, on its main
 * thread, and the exit code is its own. One per process.
 */
public final class StopSignal {
  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile int exitCode;

  private StopSignal() {}

  /** Begins to listen for the signals. */
  public static StopSignal install() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(signal::onShutdown));
    return signal;
  }

  private void onShutdown() {
    requested.countDown();
    try {
      finished.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // Without this the JVM would end with 143 after SIGTERM, although all went well.
    Runtime.getRuntime().halt(exitCode);
  }

  /** Waits for a signal. */
  public void await() throws InterruptedException {
    requested.await();
  }

  /** Waits for a signal at most so long; true when it came. */
  public boolean await(Duration most) throws InterruptedException {
    return requested.await(most.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The program has ended in good order, with this code. */
  public void finished(int code) {
    exitCode = code;
    finished.countDown();
  }
}
