package io.penstock.postgres.recurring;

import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.retention.Bites;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * Throws away what is known of instants that came long ago, in small bites. Any number of nodes may
 * do so. Safe for use by many threads.
 */
public final class FiringRetention {
  /** As long as their idempotency keys are remembered. */
  public static final Duration KEPT = Duration.ofDays(3);

  private static final int BITE = 2_000;

  /** Bites of one run: more than 10,000 schedules at one minute make between two. */
  private static final int MOST_BITES = 20;

  private final Pool pool;

  public FiringRetention(Pool pool) {
    this.pool = pool;
  }

  /** Deletes what came {@link #KEPT} ago or earlier; how many rows went. */
  public int runOnce() {
    return Bites.take(pool, KEPT, BITE, MOST_BITES, FiringRetention::bite);
  }

  private static int bite(Handle handle, Instant before) {
    return handle
        .createUpdate(
            """
            delete from penstock.schedule_firing
            where ctid = any(array(
              select ctid
              from penstock.schedule_firing
              where fired_at <= :before
              order by fired_at
              limit :most
              for update skip locked))
            """)
        .bind("before", Bind.time(before))
        .bind("most", BITE)
        .execute();
  }
}
