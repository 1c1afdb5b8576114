package io.penstock.postgres.retention;

import io.penstock.engine.shelf.ShelfRetention;
import io.penstock.postgres.shelf.ShelfRemoval;
import io.penstock.postgres.shelf.ShelfRemoval.Looked;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/**
 * Takes what has lain on the shelf for its time: goes through the numbers of each shard in order,
 * stops where nothing can be old enough, and begins anew after a rest. What some tenant keeps for
 * longer is stepped over once a round. For one thread.
 */
final class DeadLetters implements Step {
  /** Records of one bite: some ten milliseconds. */
  private static final int BITE = 1_000;

  /** Between two rounds; stepping over what is kept longer costs something each time. */
  private static final Duration REST = Duration.ofMinutes(10);

  private final int shards;
  private ShelfRetention keep;
  private int shard;
  private long after;
  private Instant resting = Instant.MIN;

  DeadLetters(int shards, ShelfRetention keep) {
    this.shards = shards;
    this.keep = keep;
  }

  /** Other times to keep them; a change begins a new round. */
  void keep(ShelfRetention changed) {
    if (!changed.equals(keep)) {
      keep = changed;
      resting = Instant.MIN;
    }
  }

  @Override
  public String name() {
    return "dead_letters";
  }

  /** Also a look that takes nothing counts, until the round is over. */
  @Override
  public int bite(Handle handle, Instant now) {
    if (now.isBefore(resting)) {
      return 0;
    }
    Instant oldEnough = now.minus(keep.shortest());
    Looked looked =
        ShelfRemoval.look(
            handle,
            shard,
            after,
            BITE,
            (tenant, reason, lastSeen) -> lastSeen.isBefore(now.minus(keep.of(tenant, reason))));
    after = looked.lastNo();
    if (looked.looked() == BITE && looked.lastSeen().isBefore(oldEnough)) {
      return Math.max(1, looked.removed());
    }
    after = 0;
    shard++;
    if (shard < shards) {
      return Math.max(1, looked.removed());
    }
    shard = 0;
    resting = now.plus(REST);
    return looked.removed();
  }
}
