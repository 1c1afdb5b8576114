package io.penstock.postgres.embedded;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The first process of a running Postgres. Safe for use by many threads. */
final class Postmaster {
  private final ProcessHandle handle;
  private final int port;
  private final boolean adopted;

  // Asked for once: each call of onExit leaves a listener behind until the process ends.
  private final CompletableFuture<ProcessHandle> end;

  /**
   * @param adopted not started by this process
   */
  Postmaster(ProcessHandle handle, int port, boolean adopted) {
    this.handle = handle;
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

  boolean alive() {
    return handle.isAlive();
  }

  void kill() {
    handle.destroyForcibly();
  }

  /**
   * Waits for its end; false when it still lives after {@code most}. Our own child's end is seen at
   * once, an adopted one's after {@code most} at the latest.
   */
  boolean awaitEnd(Duration most) {
    try {
      end.get(most.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return !alive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException(
          "interrupted while waiting for Postgres, process " + pid(), e);
    }
  }
}
