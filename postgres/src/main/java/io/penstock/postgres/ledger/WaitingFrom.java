package io.penstock.postgres.ledger;

import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The marks below which nothing waits, at which claims begin to look. Claims raise them; settles
 * and walks lower them in statements of their own; an accept or a redrive comes here, and has
 * something to lower only after the clock stepped back.
 */
final class WaitingFrom {
  /** Appended to what makes rows wait; nothing happens unless a row lies below its mark. */
  static final String LOWER = Sql.of(WaitingFrom.class, "waiting_lower.sql");

  /**
   * What is accepted is seen by others at most so much after the time that it waits from; more than
   * the statements of an accept may take. One that takes longer is found by the walk.
   */
  private static final Duration UNSEEN = Duration.ofSeconds(10);

  private WaitingFrom() {}

  /** Up to here a claim sees everything that waits. */
  static Instant quiet(Instant now) {
    return now.minus(UNSEEN);
  }

  /** Lets claims of a destination begin no later than here. */
  static void lower(Handle handle, int shard, String destination, Instant from) {
    handle
        .createUpdate(LOWER)
        .bind("shard", shard)
        .bind("waitDestinations", Bind.texts(List.of(destination)))
        .bind("waitDues", Bind.longs(new long[] {Bind.micros(from)}))
        .execute();
  }
}
