package io.penstock.postgres.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The first process of a running Postgres, or one that it left. Safe for use by many threads. */
final class Postmaster {
  /**
   * Our own child's end is seen at once. Of the end of any other process the JDK hears late, so
   * that we look ourselves.
   */
  private static final Duration STEP = Duration.ofMillis(20);

  private final ProcessHandle handle;
  private final Path data;
  private final int port;
  private final boolean adopted;

  // Asked for once: each call of onExit leaves a listener behind until the process ends.
  private final CompletableFuture<ProcessHandle> end;

  /**
   * @param adopted not started by this process
   */
  Postmaster(ProcessHandle handle, Path data, int port, boolean adopted) {
    this.handle = handle;
    this.data = data;
    this.port = port;
    this.adopted = adopted;
    this.end = handle.onExit();
  }

  ProcessHandle handle() {
    return handle;
  }

  long pid() {
    return handle.pid();
  }

  int port() {
    return port;
  }

  boolean adopted() {
    return adopted;
  }

  /** An adopted one that has ended may wait long for its new parent to notice: that is no life. */
  boolean alive() {
    return handle.isAlive() && (!adopted || Processes.worksIn(handle, data));
  }

  void kill() {
    handle.destroyForcibly();
  }

  /** Waits for its end; false when it still lives after {@code most}. */
  boolean awaitEnd(Duration most) {
    try {
      long steps = Math.max(1, most.dividedBy(STEP));
      for (long step = 0; step < steps && alive(); step++) {
        awaitStep();
      }
      return !alive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException(
          "interrupted while waiting for Postgres, process " + pid(), e);
    }
  }

  private void awaitStep() throws InterruptedException {
    try {
      end.get(STEP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // Looked at by the caller.
    }
  }
}
