package io.penstock.engine.send;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.transport.Attempt;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lends the bodies of events to attempts. Small ones came with the claim; large ones are read from
 * the ledger at send time, and only so many bytes of them are out at once, so that memory does not
 * follow the size of what is in flight. Safe for use by many threads.
 */
final class BodyLoans {
  /**
   * Longest wait for room, well within a lease's margin over its deadline: an attempt that starts
   * too late could outlive its lease.
   */
  static final Duration LONGEST_WAIT = Duration.ofMillis(500);

  private final Ledger ledger;
  private final Semaphore bytes;
  private final int most;

  /**
   * Nothing lent yet.
   *
   * @param mostBytes of large bodies out at once, at least the largest body
   */
  BodyLoans(Ledger ledger, int mostBytes) {
    this.ledger = ledger;
    this.bytes = new Semaphore(mostBytes, true);
    this.most = mostBytes;
  }

  Attempt.Body bodyOf(Leased delivery) {
    byte[] inline = delivery.content().body();
    if (inline != null) {
      Attempt.Loan loan = new Lent(inline, 0);
      return () -> loan;
    }
    return () -> borrow(delivery);
  }

  private Attempt.Loan borrow(Leased delivery) {
    int size = Math.min(most, delivery.size());
    if (!acquired(size)) {
      throw new LedgerException(
          "waited %d ms to read a body of %d bytes while other large bodies were out; at most %d bytes are at once"
              .formatted(LONGEST_WAIT.toMillis(), delivery.size(), most));
    }
    boolean lent = false;
    try {
      byte[] read =
          ledger
              .body(delivery.key().shard(), delivery.key().eventId())
              .orElseThrow(() ->
                  new LedgerException(
                      "the body of event "
                          + delivery.key().eventId()
                          + " is no longer kept although a delivery still needs it"));
      lent = true;
      return new Lent(read, size);
    } finally {
      if (!lent) {
        bytes.release(size);
      }
    }
  }

  private boolean acquired(int size) {
    try {
      return bytes.tryAcquire(size, LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private final class Lent implements Attempt.Loan {
    private final byte[] body;
    private int held;

    Lent(byte[] body, int held) {
      this.body = body;
      this.held = held;
    }

    @Override
    public byte[] bytes() {
      return body;
    }

    @Override
    public void close() {
      bytes.release(held);
      held = 0;
    }
  }
}
