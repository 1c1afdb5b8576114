package io.penstock.postgres.read;

import io.penstock.engine.destination.GateScope;
import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Looks at gates and counts what waits behind one: after the change and outside its transaction,
 * which holds the lock that every change of a gate takes. Safe for use by many threads.
 */
public final class GateReads {
  /** How far what waits is counted: a screen needs no more. */
  static final int COUNT_BOUND = 10_000;

  /** How long counting may take: somebody waits for the answer in the middle of an incident. */
  static final Duration COUNT_BUDGET = Duration.ofMillis(500);

  /** Destinations per statement, some milliseconds. */
  private static final int PAGE = 200;

  private static final String BEHIND = Sql.of(GateReads.class, "behind.sql");

  private final Pool pool;
  private final LongSupplier nanoClock;

  public GateReads(Pool pool, LongSupplier nanoClock) {
    this.pool = pool;
    this.nanoClock = nanoClock;
  }

  /** The gate of everything. */
  public GateView everything() {
    return pool.read(Use.CALLER, ConfigurationReads::everything);
  }

  /** Who closed what of the gate of everything. */
  public List<CauseView> causesOfEverything() {
    return pool.read(Use.CALLER, handle -> CauseRows.of(handle, null, null));
  }

  /** What waits behind a scope's gate, counted up to 10,000 and for about half a second. */
  public BehindView behind(GateScope scope) {
    int shards = pool.shards();
    return switch (scope) {
      case GateScope.Everything() -> new Count(null, null).over(0, shards);
      case GateScope.OfTenant(String id) -> new Count(id, null).over(0, shards);
      case GateScope.OfDestination(String id) -> {
        int shard = Shard.of(id, shards);
        yield new Count(null, id).over(shard, shard + 1);
      }
    };
  }

  /** One count, a page of destinations at a time. */
  private final class Count {
    private final @Nullable String tenant;
    private final @Nullable String destination;
    private final long began = nanoClock.getAsLong();
    private long waiting;
    private @Nullable Instant oldest;

    Count(@Nullable String tenant, @Nullable String destination) {
      this.tenant = tenant;
      this.destination = destination;
    }

    BehindView over(int firstShard, int endShard) {
      for (int shard = firstShard; shard < endShard; shard++) {
        Optional<String> after = Optional.of("");
        while (after.isPresent()) {
          if (waiting > COUNT_BOUND || nanoClock.getAsLong() - began > COUNT_BUDGET.toNanos()) {
            return new BehindView(Math.min(waiting, COUNT_BOUND), false, oldest);
          }
          after = page(shard, after.get());
        }
      }
      return new BehindView(Math.min(waiting, COUNT_BOUND), waiting <= COUNT_BOUND, oldest);
    }

    /** Counts a page; the last destination of a full one, empty when there are no more. */
    private Optional<String> page(int shard, String after) {
      return pool.transaction(
          Use.CALLER,
          handle -> {
            Reads.enter(handle);
            return page(handle, shard, after);
          });
    }

    private Optional<String> page(Handle handle, int shard, String after) {
      return handle
          .createQuery(BEHIND)
          .bind("shard", shard)
          .bind("after", after)
          .bind("tenant", tenant)
          .bind("destination", destination)
          .bind("page", PAGE)
          // One more than the bound: then it is known whether there are more.
          .bind("most", COUNT_BOUND + 1 - waiting)
          .map((row, context) -> {
            waiting += row.getLong("waiting");
            Instant found = Bind.instantOrNull(row, "oldest");
            oldest = oldest == null || (found != null && found.isBefore(oldest)) ? found : oldest;
            return row.getLong("destinations") < PAGE
                ? Optional.<String>empty()
                : Optional.of(row.getString("last"));
          })
          .one();
    }
  }
}
