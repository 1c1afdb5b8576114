package io.penstock.postgres.retention;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.TenantLimits;
import io.penstock.postgres.shelf.ShelfRemoval;
import io.penstock.postgres.shelf.ShelfRemoval.Looked;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Takes what has lain on the shelf for its time, which may be of a tenant and a reason: goes
 * through the numbers of each shard in order, stops where nothing can be old enough, and begins
 * anew after a rest. What some tenant keeps for longer is stepped over once a round. For one
 * thread.
 */
final class DeadLetters implements Step {
  /** Records of one bite: some ten milliseconds. */
  private static final int BITE = 1_000;

  /** Between two rounds; stepping over what is kept longer costs something each time. */
  private static final Duration REST = Duration.ofMinutes(10);

  private final int shards;
  private final Limits limits;
  private int shard;
  private long after;
  private Duration shortest = Duration.ZERO;
  private Instant resting = Instant.MIN;

  DeadLetters(int shards, Limits limits) {
    this.shards = shards;
    this.limits = limits;
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
    if (shard == 0 && after == 0) {
      shortest = shortest(handle);
    }
    Looked looked =
        ShelfRemoval.look(
            handle,
            shard,
            after,
            BITE,
            (tenant, reason, lastSeen) -> lastSeen.isBefore(now.minus(kept(tenant, reason))));
    after = looked.lastNo();
    if (looked.looked() == BITE && looked.lastSeen().isBefore(now.minus(shortest))) {
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

  private Duration kept(String tenantId, Reason reason) {
    return limits.retention().deadLetters(limits.ofTenant(tenantId), reason);
  }

  /** The shortest time that any of the tenants keeps anything, asked once a round. */
  private Duration shortest(Handle handle) {
    Stream<TenantLimits> tenants =
        handle
            .createQuery("select tenant_id from penstock.tenant")
            .mapTo(String.class)
            .list()
            .stream()
            .map(limits::ofTenant)
            .distinct();
    return tenants
        .flatMap(tenant ->
            Arrays.stream(Reason.values())
                .map(reason -> limits.retention().deadLetters(tenant, reason)))
        .reduce(limits.retention().deadLetters(), (a, b) -> a.compareTo(b) < 0 ? a : b);
  }
}
