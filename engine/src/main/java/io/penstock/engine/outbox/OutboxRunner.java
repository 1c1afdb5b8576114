package io.penstock.engine.outbox;

import io.penstock.engine.intake.Intake;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Expands the outbox on one node; any number of nodes may do so. Nothing is remembered here. A row
 * on which a whole batch fails is found by expanding one at a time, and put aside: it stops nobody
 * else. {@link #runOnce} for one thread.
 */
public final class OutboxRunner {
  /** Between two looks at an outbox that was empty. Each costs one probe of an index. */
  static final Duration REST = Duration.ofMillis(500);

  /** Rest after the ledger could not answer. */
  static final Duration LEDGER_BACK_OFF = Duration.ofSeconds(1);

  /** Rows of one transaction: some ten milliseconds. */
  static final int MOST_ROWS = 500;

  /** Bytes of the rows of one transaction, beyond its first one: they are all held at once. */
  static final long MOST_BYTES = 8L << 20;

  /** What is left of a batch's rows after the ledger could not answer. */
  private static final int SMALLER = 8;

  /** A row at which the ledger does not answer waits so long, and the rows behind it go on. */
  static final Duration DEFERRAL = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(OutboxRunner.class);

  private final Outbox outbox;
  private final OutboxReader reader;
  private final Intake intake;
  private final OutboxListener listener;
  private final NodeListener trouble;
  private int most = MOST_ROWS;

  public OutboxRunner(
      Outbox outbox,
      OutboxReader reader,
      Intake intake,
      OutboxListener listener,
      NodeListener trouble) {
    this.outbox = outbox;
    this.reader = reader;
    this.intake = intake;
    this.listener = listener;
    this.trouble = trouble;
  }

  /** Expands one batch; returns how long to rest. */
  public Duration runOnce() {
    try {
      return expandDue();
    } catch (LedgerException failure) {
      trouble.ledgerFailed("outbox", failure);
      // What fails by its size goes in smaller pieces; in the end the row itself is found.
      most = Math.max(1, most / SMALLER);
      return LEDGER_BACK_OFF;
    }
  }

  private Duration expandDue() {
    List<Outbox.Due> due = outbox.due(most);
    List<Long> batch = batch(due);
    if (batch.isEmpty()) {
      return REST;
    }
    boolean wasFull = due.size() == most || batch.size() < due.size();
    boolean moved = expand(batch);
    most = Math.min(MOST_ROWS, most * 2);
    return moved && wasFull ? Duration.ZERO : REST;
  }

  /** The first of them, as far as their payloads fit into one transaction. */
  private static List<Long> batch(List<Outbox.Due> due) {
    List<Long> batch = new ArrayList<>(due.size());
    long bytes = 0;
    for (Outbox.Due row : due) {
      bytes += row.bytes();
      if (bytes > MOST_BYTES && !batch.isEmpty()) {
        break;
      }
      batch.add(row.number());
    }
    return batch;
  }

  /** Whether anything came of it; otherwise another node is at these rows. */
  private boolean expand(List<Long> batch) {
    try {
      return told(outbox.expand(batch, reader, intake.room()));
    } catch (LedgerException circumstance) {
      if (batch.size() == 1) {
        // Were the ledger itself in trouble, this would fail too.
        outbox.defer(batch.getFirst(), DEFERRAL);
      }
      throw circumstance;
    } catch (RuntimeException | StackOverflowError | AssertionError poison) {
      log.error("{} rows of the outbox failed; they go one at a time", batch.size(), poison);
      boolean moved = false;
      for (Long number : batch) {
        moved |= expandAlone(number);
      }
      return moved;
    }
  }

  private boolean expandAlone(long number) {
    try {
      return told(outbox.expand(List.of(number), reader, intake.room()));
    } catch (LedgerException circumstance) {
      throw circumstance;
    } catch (RuntimeException | StackOverflowError | AssertionError poison) {
      log.error("row {} of the outbox is put aside", number, poison);
      OutboxRefusal why =
          new OutboxRefusal(
              OutboxRefusal.Reason.FAULT,
              "Penstock failed on this row (%s); its log of row %d says where"
                  .formatted(poison.getClass().getSimpleName(), number));
      return outbox.refuse(number, why) && told(new Expansion(List.of(), List.of(why), 0));
    }
  }

  private boolean told(Expansion done) {
    intake.accepted(done.answers());
    listener.expanded(done);
    return !done.equals(Expansion.NOTHING);
  }
}
