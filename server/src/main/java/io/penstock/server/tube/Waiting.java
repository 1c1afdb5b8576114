package io.penstock.server.tube;

import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.tube.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An answer that a request's own thread waits for. */
final class Waiting<A> implements Reply<A> {
  private final CompletableFuture<A> future = new CompletableFuture<>();

  @Override
  public void answer(A answer) {
    future.complete(answer);
  }

  @Override
  public void fail(RuntimeException failure) {
    future.completeExceptionally(failure);
  }

  /** Waits for it; throws what it failed with. */
  A await(Duration most) {
    try {
      return future.get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new LedgerException("no answer within %d s".formatted(most.toSeconds()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerException("interrupted while waiting for the ledger", e);
    }
  }
}
