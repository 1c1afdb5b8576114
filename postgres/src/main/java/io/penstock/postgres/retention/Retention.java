package io.penstock.postgres.retention;

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

/**
 * Throws away what is old: rows in small ordered bites that skip what others hold, days as whole
 * partitions. Works on a connection of its own, straight to Postgres; of several nodes one works at
 * a time. Used by one thread.
 */
public final class Retention {
  private final DatabaseSettings settings;
  private final Pool pool;
  private final LongSupplier nanoClock;
  private final List<Step> steps;

  public Retention(
      DatabaseSettings settings, Pool pool, RetentionSettings keep, LongSupplier nanoClock) {
    this.settings = settings;
    this.pool = pool;
    this.nanoClock = nanoClock;
    this.steps =
        List.of(
            new RowSteps.IdempotencyKeys(),
            new RowSteps.DeadLetters(keep.deadLetters()),
            new RowSteps.KeptDeliveries(keep.deadLetters()),
            new RowSteps.ShelfOfOldDays(keep.finished()),
            new DropDays("delivery_done", keep.finished()),
            new DropDays("attempt", keep.attempts()),
            new DropDays("rollup", keep.rollups()),
            new RowSteps.NeededEvents(keep.events()),
            new DropDays("event", keep.events()),
            new RowSteps.KeptEvents());
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
      for (Step step : steps) {
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
