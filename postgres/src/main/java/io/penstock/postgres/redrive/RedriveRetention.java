package io.penstock.postgres.redrive;

import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.retention.Bites;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * Throws away redrives that ended long ago: their messages in small bites, then the tasks. Any
 * number of nodes may do so. Safe for use by many threads.
 */
public final class RedriveRetention {
  /** As long as the shelf keeps dead letters. */
  public static final Duration KEPT = Duration.ofDays(30);

  private static final int BITE = 1_000;

  /** Bites of one run; the rest waits for the next. */
  private static final int MOST_BITES = 20;

  private final Pool pool;

  public RedriveRetention(Pool pool) {
    this.pool = pool;
  }

  /** Deletes what ended {@link #KEPT} ago or earlier; how many rows went. */
  public int runOnce() {
    return Bites.take(pool, KEPT, BITE, MOST_BITES, RedriveRetention::bite);
  }

  private static int bite(Handle handle, Instant before) {
    int events = events(handle, before);
    return events > 0 ? events : tasks(handle, before);
  }

  private static int events(Handle handle, Instant before) {
    return handle
        .createUpdate(
            """
            delete from penstock.redrive_event
            where (shard, redrive_id, destination_id, event_id) in (
              select e.shard, e.redrive_id, e.destination_id, e.event_id
              from penstock.redrive r
              join penstock.redrive_event e on e.shard = r.shard and e.redrive_id = r.redrive_id
              where r.ended_at <= :before
              limit :most)
            """)
        .bind("before", Bind.time(before))
        .bind("most", BITE)
        .execute();
  }

  private static int tasks(Handle handle, Instant before) {
    return handle
        .createUpdate("delete from penstock.redrive where ended_at <= :before")
        .bind("before", Bind.time(before))
        .execute();
  }
}
