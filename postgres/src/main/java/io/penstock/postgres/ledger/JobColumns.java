package io.penstock.postgres.ledger;

import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.TubeCount;
import io.penstock.postgres.Bind;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;

/** Jobs of tubes, turned into one array per column of a statement. */
final class JobColumns {
  private JobColumns() {}

  /** Which leases are meant. */
  static Query bindRefs(Query query, List<JobRef> jobs) {
    refs(query, jobs);
    return query;
  }

  private static void refs(SqlStatement<?> statement, List<JobRef> jobs) {
    statement
        .bind("destinations", Bind.texts(jobs.stream().map(j -> j.key().destinationId()).toList()))
        .bind("events", Bind.uuids(jobs.stream().map(j -> j.key().eventId()).toList()))
        .bind("leaseNos", Bind.longs(jobs.stream().mapToLong(JobRef::leaseNo).toArray()));
  }

  private static JobRef ref(HeldJob job) {
    return new JobRef(job.lease().key(), job.lease().leaseNo());
  }

  /** Who holds what was leased at one moment. */
  static Update bindHeld(Update update, List<HeldJob> held) {
    refs(update, held.stream().map(JobColumns::ref).toList());
    boolean[] lent = new boolean[held.size()];
    boolean[] probes = new boolean[held.size()];
    for (int i = 0; i < held.size(); i++) {
      lent[i] = held.get(i).lent();
      probes[i] = held.get(i).probe();
    }
    return update
        .bind("workers", Bind.texts(held.stream().map(HeldJob::worker).toList()))
        .bind("pools", Bind.texts(held.stream().map(HeldJob::poolId).toList()))
        .bind(
            "charged",
            Bind.longs(held.stream().mapToLong(j -> j.charged().toNanos() / 1_000).toArray()))
        .bind("lent", Bind.booleans(lent))
        .bind("generations", Bind.longs(held.stream().mapToLong(HeldJob::generation).toArray()))
        .bind("probes", Bind.booleans(probes))
        .bind("items", Bind.texts(held.stream().map(j -> j.lease().content().item()).toList()));
  }

  /** Leases with their new ends and charges, and where their rows lie. */
  static Query bindRenewed(
      Query query,
      List<HeldJob> held,
      List<Instant> until,
      List<java.time.Duration> charged,
      List<String> places) {
    refs(query, held.stream().map(JobColumns::ref).toList());
    return query
        .bind("untilMicros", Bind.longs(until.stream().mapToLong(Bind::micros).toArray()))
        .bind("charged", Bind.longs(charged.stream().mapToLong(c -> c.toNanos() / 1_000).toArray()))
        .bind("places", Bind.texts(places));
  }

  /** What is added to the counts of tubes. */
  static Update bindCounts(Update update, List<TubeCount> counts) {
    boolean[] anyYield = new boolean[counts.size()];
    for (int i = 0; i < counts.size(); i++) {
      anyYield[i] = counts.get(i).anyYield();
    }
    return update
        .bind("destinations", Bind.texts(counts.stream().map(TubeCount::destinationId).toList()))
        .bind("completed", ints(counts, TubeCount::completed))
        .bind("failed", ints(counts, TubeCount::failed))
        .bind("lost", ints(counts, TubeCount::lost))
        .bind("released", ints(counts, TubeCount::released))
        .bind("worked", Bind.longs(counts.stream().mapToLong(TubeCount::workedMicros).toArray()))
        .bind("yielded", Bind.longs(counts.stream().mapToLong(TubeCount::yielded).toArray()))
        .bind("empty", ints(counts, TubeCount::emptyRuns))
        .bind("anyYield", Bind.booleans(anyYield));
  }

  private static org.jdbi.v3.core.argument.Argument ints(
      List<TubeCount> counts, java.util.function.ToIntFunction<TubeCount> field) {
    return Bind.ints(counts.stream().mapToInt(field).toArray());
  }
}
