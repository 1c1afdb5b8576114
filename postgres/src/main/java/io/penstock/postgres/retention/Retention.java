package io.penstock.postgres.retention;

import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.RetentionLimits;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Failures;
import io.penstock.postgres.Pool;
import io.penstock.postgres.partition.Partitions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Throws away what is old: rows in small ordered bites that skip what others hold, days as whole
 * partitions. Works on a connection of its own, straight to Postgres; of several nodes one works at
 * a time. Used by one thread.
 */
public final class Retention {
  private final DatabaseSettings settings;
  private final Pool pool;
  private final Limits limits;
  private final LongSupplier nanoClock;
  private final RowSteps.KeptEvents keptEvents = new RowSteps.KeptEvents();
  private @Nullable DeadLetters deadLetters;

  /**
   * A retention for one role.
   *
   * @param settings how to reach Postgres as the owner of the tables
   * @param limits asked at each run: times that change count from then on
   */
  public Retention(DatabaseSettings settings, Pool pool, Limits limits, LongSupplier nanoClock) {
    this.settings = settings;
    this.pool = pool;
    this.limits = limits;
    this.nanoClock = nanoClock;
  }

  /** In this order: what is still needed of a day moves before the day goes. */
  private List<Step> steps() {
    RetentionLimits keep = limits.retention();
    if (deadLetters == null) {
      deadLetters = new DeadLetters(pool.shards(), limits);
    }
    return List.of(
        new RowSteps.IdempotencyKeys(),
        new RowSteps.CompleteRuns(),
        deadLetters,
        new RowSteps.ShelfOfOldDays(keep.finished()),
        new DropDays("delivery_done", keep.finished()),
        new DropDays("attempt", keep.attempts()),
        new DropDays("rollup", keep.rollups()),
        new ThinHistory(1, 10, Duration.ofHours(1)),
        new ThinHistory(10, 60, Duration.ofDays(1)),
        new ThinHistory(60, 600, Duration.ofDays(7)),
        new RowSteps.Histories(keep.rollups()),
        new RowSteps.NeededEvents(keep.events()),
        new DropDays("event", keep.events()),
        keptEvents,
        new AuditLines(keep.audit()));
  }

  /**
   * Makes the partitions of the days to come, then works for about {@code budget}; what it did, by
   * step. A step that runs out of time goes on the next time; those after it wait, since a day may
   * go only when what is still needed of it has been moved.
   *
   * @throws io.penstock.engine.ledger.LedgerException if the database cannot answer now
   */
  public Map<String, Integer> runOnce(Duration budget) {
    long started = nanoClock.getAsLong();
    Map<String, Integer> done = new LinkedHashMap<>();
    done.put("partitions_made", new Partitions(pool).ahead());
    try (Handle handle =
        Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open()) {
      handle.execute("set lock_timeout = '2s'");
      handle.execute("set statement_timeout = '60s'");
      if (!alone(handle)) {
        return done;
      }
      for (Step step : steps()) {
        int bite;
        do {
          bite = step.bite(handle, pool.now(handle));
          done.merge(step.name(), bite, Integer::sum);
          if (nanoClock.getAsLong() - started >= budget.toNanos()) {
            return done;
          }
        } while (bite > 0);
      }
      return done;
    } catch (RuntimeException e) {
      throw Failures.translate(e);
    }
  }

  /** Whether no other node is at it; the lock ends with the connection. */
  private static boolean alone(Handle handle) {
    return handle
        .createQuery("select pg_try_advisory_lock(hashtext('penstock.retention'))")
        .mapTo(Boolean.class)
        .one();
  }
}
