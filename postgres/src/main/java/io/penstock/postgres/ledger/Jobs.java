package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.JobRules;
import io.penstock.engine.ledger.JobsEnded;
import io.penstock.engine.ledger.RenewRules;
import io.penstock.engine.ledger.RenewRules.Charged;
import io.penstock.engine.ledger.Renewal;
import io.penstock.engine.ledger.Renewals;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settled.Applied;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.ledger.TubeCount;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Results;
import io.penstock.postgres.Sql;
import io.penstock.postgres.partition.Partitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * Leases of jobs of tubes: who holds them, renewals, and their ends. Whatever touches one has the
 * lock of its tube's budget.
 */
final class Jobs {
  private static final String LOCK = Sql.of(Jobs.class, "job_lock.sql");
  private static final String OF = Sql.of(Jobs.class, "job_of.sql");
  private static final String HOLD = Sql.of(Jobs.class, "job_hold.sql");
  private static final String RENEW = Sql.of(Jobs.class, "job_renew.sql");
  private static final String COUNT = Sql.of(Jobs.class, "job_count.sql");
  private static final String EXPIRED = Sql.of(Jobs.class, "expired_jobs.sql");

  /** By place; the shard hides, so that the TID scan is the only way. */
  static final String LET_GO =
      """
      delete from penstock.tube_lease
      where ctid = any(cast(:places as tid[])) and shard + 0 = :shard
      """;

  private final Pool pool;
  private final Partitions partitions;
  private final Settles settles;

  Jobs(Pool pool, Partitions partitions, Settles settles) {
    this.pool = pool;
    this.partitions = partitions;
    this.settles = settles;
  }

  /** Notes who holds what was leased; in the transaction of the claim. */
  static void hold(Handle handle, int shard, List<HeldJob> held) {
    if (held.isEmpty()) {
      return;
    }
    JobColumns.bindHeld(handle.createUpdate(HOLD), held)
        .bind("shard", shard)
        .bind("now", Bind.time(held.getFirst().heldFrom()))
        .execute();
  }

  /** A lease that is still held, with the place of its row. */
  record Found(HeldJob job, String place) {}

  /** The job behind a delivery, when a worker holds it; the budget's lock is taken. */
  static Optional<Found> of(Handle handle, DeliveryKey key) {
    return handle
        .createQuery(OF)
        .bind("shard", key.shard())
        .bind("destination", key.destinationId())
        .bind("event", key.eventId())
        .map((row, context) -> found(key.shard(), row))
        .findOne();
  }

  private static Found found(int shard, ResultSet row) throws SQLException {
    return new Found(
        new HeldJob(
            LeasedRows.read(shard, row),
            row.getString("worker"),
            row.getString("pool_id"),
            Bind.instant(row, "held_from"),
            Duration.ofNanos(row.getLong("charged_us") * 1_000),
            row.getBoolean("lent"),
            row.getLong("generation"),
            row.getBoolean("probe")),
        row.getString("place"));
  }

  /** What is known once the locks are taken; {@code jobs} by their place in the request. */
  private record Locked(Settles.Locked budgets, Map<Integer, Found> jobs) {}

  private Locked lock(Handle handle, int shard, List<JobRef> jobs) {
    return Results.of(
        JobColumns.bindRefs(handle.createQuery(LOCK), jobs).bind("shard", shard),
        results -> {
          Settles.Locked budgets = Settles.locked(pool, results);
          Map<Integer, Found> found = new TreeMap<>();
          ResultSet rows = results.next();
          while (rows.next()) {
            found.put(rows.getInt("n") - 1, found(shard, rows));
          }
          return new Locked(budgets, found);
        });
  }

  Renewals renew(int shard, List<Renewal> batch, RenewRules rules) {
    return pool.transaction(Use.LOOP, handle -> renew(handle, shard, batch, rules));
  }

  private Renewals renew(Handle handle, int shard, List<Renewal> batch, RenewRules rules) {
    Locked locked = lock(handle, shard, batch.stream().map(Renewal::job).toList());
    Instant now = locked.budgets().now();
    List<Optional<Instant>> answers =
        new ArrayList<>(Collections.nCopies(batch.size(), Optional.empty()));
    if (locked.jobs().isEmpty()) {
      return new Renewals(now, answers);
    }
    List<Integer> at = List.copyOf(locked.jobs().keySet());
    List<Found> found = List.copyOf(locked.jobs().values());
    List<HeldJob> held = found.stream().map(Found::job).toList();
    List<Instant> until = at.stream().map(i -> now.plus(batch.get(i).lease())).toList();
    Charged charged = rules.charge(now, held, locked.budgets().budgets());
    List<Integer> renewed =
        JobColumns.bindRenewed(
                handle.createQuery(RENEW),
                held,
                until,
                charged.charged(),
                found.stream().map(Found::place).toList())
            .bind("shard", shard)
            .map((row, context) -> row.getInt("n") - 1)
            .list();
    renewed.forEach(i -> answers.set(at.get(i), Optional.of(until.get(i))));
    locked.budgets().rows().write(handle, shard, charged.states());
    return new Renewals(now, answers);
  }

  JobsEnded end(int shard, List<JobRef> batch, JobRules rules) {
    return partitions.onDemand(
        List.of(), () -> pool.transaction(Use.LOOP, handle -> end(handle, shard, batch, rules)));
  }

  private JobsEnded end(Handle handle, int shard, List<JobRef> batch, JobRules rules) {
    Locked locked = lock(handle, shard, batch);
    Instant now = locked.budgets().now();
    List<Optional<Applied>> answers =
        new ArrayList<>(Collections.nCopies(batch.size(), Optional.empty()));
    if (locked.jobs().isEmpty()) {
      return new JobsEnded(now, answers);
    }
    IdentityHashMap<Settlement, Integer> placeOf = new IdentityHashMap<>();
    List<Settlement> settlements = new ArrayList<>();
    locked
        .jobs()
        .forEach((place, found) -> {
          Settlement settlement = rules.settlement(now, found.job(), place);
          placeOf.put(settlement, place);
          settlements.add(settlement);
        });
    Settled settled = settles.book(handle, shard, locked.budgets(), settlements, rules);
    List<String> rows = new ArrayList<>();
    for (Applied applied : settled.applied()) {
      int place = placeOf.getOrDefault(applied.settlement(), -1);
      answers.set(place, Optional.of(applied));
      Found found = locked.jobs().get(place);
      if (found != null) {
        rows.add(found.place());
      }
    }
    letGo(handle, shard, rows);
    count(
        handle,
        shard,
        rules.counts(settled.applied().stream().map(Applied::settlement).toList()),
        now);
    Fresh.note(
        handle,
        shard,
        rules.completeRuns(settled.applied().stream().map(Applied::settlement).toList()),
        now);
    return new JobsEnded(now, answers);
  }

  static void letGo(Handle handle, int shard, List<String> places) {
    if (!places.isEmpty()) {
      handle.createUpdate(LET_GO).bind("shard", shard).bind("places", Bind.texts(places)).execute();
    }
  }

  private static void count(Handle handle, int shard, List<TubeCount> counts, Instant now) {
    if (!counts.isEmpty()) {
      JobColumns.bindCounts(handle.createUpdate(COUNT), counts)
          .bind("shard", shard)
          .bind("now", Bind.time(now))
          .execute();
    }
  }

  List<HeldJob> expired(int shard, int most) {
    return pool.transaction(
        Use.LOOP,
        handle -> {
          HotPath.enter(handle);
          return handle
              .createQuery(EXPIRED)
              .bind("shard", shard)
              .bind("now", Bind.time(pool.now(handle)))
              .bind("most", most)
              .map((row, context) -> found(shard, row).job())
              .list();
        });
  }
}
