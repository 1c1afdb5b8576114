package io.penstock.postgres.redrive;

import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.redrive.RedriveCounts;
import io.penstock.engine.redrive.RedriveDecision;
import io.penstock.engine.redrive.RedriveInput;
import io.penstock.engine.redrive.RedriveKey;
import io.penstock.engine.redrive.RedriveOutcome;
import io.penstock.engine.redrive.RedriveProgress;
import io.penstock.engine.redrive.RedriveRule;
import io.penstock.engine.redrive.RedriveState;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives.Stepped;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Sql;
import io.penstock.postgres.audit.AuditLog;
import io.penstock.postgres.ledger.Again;
import io.penstock.postgres.ledger.GateRows;
import io.penstock.postgres.redrive.Matches.Match;
import io.penstock.postgres.redrive.Matches.Matched;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** One step of a redrive, in its transaction. */
final class Steps {
  /** How long other nodes leave a task to the node that stepped it last. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** Dead letters counted at once: about 30 ms, four times a second. */
  private static final int COUNTED_AT_ONCE = 2_000;

  /** Dead letters looked at for the next match; a few beyond those wanted have left the shelf. */
  private static final int LEAST_SCANNED = 50;

  /** In one statement, and in all of a step whose filter matches few: about 0.2 s. */
  private static final int MOST_SCANNED = 5_000;

  private static final int MOST_SCANNED_IN_ALL = 20_000;

  private static final String LOOK = Sql.of(Steps.class, "look.sql");
  private static final String READY = Sql.of(Steps.class, "ready.sql");
  private static final String RECORD = Sql.of(Steps.class, "record.sql");
  private static final String SAVE = Sql.of(Steps.class, "save.sql");

  private final Pool pool;

  Steps(Pool pool) {
    this.pool = pool;
  }

  /** A task's row under its lock, with what only this package knows of it. */
  record Row(
      RedriveTask task,
      List<String> writers,
      long lookAfter,
      long counted,
      long countedTo,
      @Nullable String runner,
      @Nullable Instant runnerUntil) {

    static Row read(ResultSet row) throws SQLException {
      return new Row(
          TaskRows.task(row),
          Bind.strings(row.getArray("writers")),
          row.getLong("look_after"),
          row.getLong("counted"),
          row.getLong("counted_to"),
          row.getString("runner"),
          Bind.instantOrNull(row, "runner_until"));
    }

    boolean isAnothers(String node, Instant now) {
      return runner != null
          && !runner.equals(node)
          && runnerUntil != null
          && runnerUntil.isAfter(now);
    }
  }

  Stepped step(Handle handle, RedriveKey key, String node, RedriveRule rule) {
    Optional<Row> locked = lock(handle, key);
    Instant now = pool.now(handle);
    if (locked.isEmpty() || locked.get().isAnothers(node, now)) {
      return new Stepped.Elsewhere();
    }
    Row row = look(handle, locked.get(), now);
    RedriveTask task = row.task();
    var ruled = rule.decide(task.settings(), task.progress(), input(handle, row, now), now);
    RedriveProgress progress = ruled.progress();
    int released = 0;
    Instant again = ruled.decision().again();
    if (ruled.decision() instanceof RedriveDecision.Release(int most, _)) {
      RedriveRule.Released done = release(handle, task, progress, most, now);
      progress = rule.released(progress, done);
      released = done.released();
      if (released < most) { // few match here: on with the search, or to the end
        again = now;
      }
    }
    RedriveTask after = task.with(progress, now);
    Row counted = count(handle, row, after, now);
    save(handle, counted, node, again, now);
    auditEnd(handle, task, after, now);
    return new Stepped.Done(counted.task(), ruled.decision(), released);
  }

  private static Optional<Row> lock(Handle handle, RedriveKey key) {
    return handle
        .createQuery(
            """
            select *
            from penstock.redrive
            where shard = :shard and redrive_id = :redrive
            for no key update skip locked
            """)
        .bind("shard", key.shard())
        .bind("redrive", key.id())
        .map((row, context) -> Row.read(row))
        .findOne();
  }

  private static Row look(Handle handle, Row row, Instant now) {
    RedriveTask task = row.task();
    int most = task.progress().mostToLook(now);
    if (most == 0) {
      return row;
    }
    return handle
        .createQuery(LOOK)
        .bind("shard", task.key().shard())
        .bind("redrive", task.key().id())
        .bind("destination", task.destinationId())
        .bind("after", row.lookAfter())
        .bind("most", most)
        .bind("now", Bind.time(now))
        .execute((executed, context) -> seen(row, executed.get().getResultSet(), most, now));
  }

  private static Row seen(Row row, ResultSet rows, int most, Instant now) throws SQLException {
    RedriveTask task = row.task();
    RedriveCounts counts = task.progress().counts();
    long lookAfter = 0;
    while (rows.next()) {
      // A page that is not full was the last one: from the start again.
      lookAfter = rows.getInt("looked") < most ? 0 : rows.getLong("looked_to");
      String outcome = rows.getString("outcome");
      if (outcome != null) {
        counts =
            counts.moved(
                RedriveOutcome.ofWord(rows.getString("before")),
                RedriveOutcome.ofWord(outcome),
                rows.getInt("moved"));
      }
    }
    return new Row(
        task.with(task.progress().looked(counts, now), now),
        row.writers(),
        lookAfter,
        row.counted(),
        row.countedTo(),
        row.runner(),
        row.runnerUntil());
  }

  private static RedriveInput input(Handle handle, Row row, Instant now) {
    RedriveTask task = row.task();
    boolean starting = task.progress().state() == RedriveState.STARTING;
    if (!starting && task.progress().state() != RedriveState.RUNNING) {
      return new RedriveInput(true, null, 0);
    }
    int shard = task.key().shard();
    Gate.Closed closed =
        GateRows.find(handle, shard, task.destinationId())
            .map(gate -> Optional.ofNullable(gate.closed()))
            .orElse(Optional.of(Gate.Closed.DELETED))
            .orElse(null);
    int ready =
        handle
            .createQuery(READY)
            .bind("shard", shard)
            .bind("destination", task.destinationId())
            .bind("now", Bind.time(now))
            .bind("most", task.settings().lowWatermark())
            .mapTo(Integer.class)
            .one();
    return new RedriveInput(!starting || isFrozen(handle, row), closed, ready);
  }

  /** Whether everybody has ended who was writing dead letters when the bound was read. */
  private static boolean isFrozen(Handle handle, Row row) {
    return row.writers().isEmpty()
        || handle
            .createQuery(
                """
                select not exists (
                  select
                  from pg_locks
                  where database = (select oid from pg_database where datname = current_database())
                    and locktype = 'relation' and relation = 'penstock.dead_letter'::regclass
                    and virtualtransaction = any(:writers))
                """)
            .bind("writers", Bind.texts(row.writers()))
            .mapTo(Boolean.class)
            .one();
  }

  private static RedriveRule.Released release(
      Handle handle, RedriveTask task, RedriveProgress progress, int most, Instant now) {
    int shard = task.key().shard();
    Matched page = next(handle, task, progress, most);
    List<Match> taken = new ArrayList<>();
    List<Again.Wanted> wanted = new ArrayList<>();
    long cursor = page.cursor();
    for (Match match : page.matches()) {
      if (match.isDead() && wanted.size() == most) {
        cursor = match.letter().deadLetterNo() - 1;
        break;
      }
      taken.add(match);
      if (match.isDead()) {
        wanted.add(new Again.Wanted(match.letter().eventId(), match.leaseNo(), match.day()));
      }
    }
    if (taken.isEmpty()) {
      return new RedriveRule.Released(cursor, 0, 0);
    }
    List<Again.Put> put =
        wanted.isEmpty() ? List.of() : Again.put(handle, shard, task.destinationId(), wanted, now);
    int recorded = record(handle, task, taken, put, now);
    return new RedriveRule.Released(cursor, put.size(), recorded - put.size());
  }

  /** The next page with a match, or the last one looked at. */
  private static Matched next(Handle handle, RedriveTask task, RedriveProgress progress, int most) {
    int scan = Math.clamp(most * 2L, LEAST_SCANNED, MOST_SCANNED);
    int looked = 0;
    long after = progress.cursor();
    while (true) {
      Matched page =
          Matches.page(
              handle,
              task.key().shard(),
              task.filter(),
              task.startedAt(),
              after,
              progress.bound(),
              scan);
      looked += scan;
      if (!page.matches().isEmpty()
          || page.cursor() >= progress.bound()
          || looked >= MOST_SCANNED_IN_ALL) {
        return page;
      }
      after = page.cursor();
      scan = Math.min(scan * 4, MOST_SCANNED);
    }
  }

  /** Returns how many were new; each that was put back must be. */
  private static int record(
      Handle handle, RedriveTask task, List<Match> matches, List<Again.Put> put, Instant now) {
    Map<UUID, Match> last = new LinkedHashMap<>(); // of several deaths of one delivery
    matches.forEach(match -> last.put(match.letter().eventId(), match));
    List<Match> taken = List.copyOf(last.values());
    Map<UUID, Again.Put> back = new HashMap<>();
    put.forEach(one -> back.put(one.eventId(), one));
    int size = taken.size();
    List<UUID> events = new ArrayList<>();
    long[] letters = new long[size];
    long[] leaseNos = new long[size];
    int[] counts = new int[size];
    List<String> outcomes = new ArrayList<>();
    List<String> details = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Match match = taken.get(i);
      Again.Put one = match.isDead() ? back.get(match.letter().eventId()) : null;
      events.add(match.letter().eventId());
      letters[i] = match.letter().deadLetterNo();
      leaseNos[i] = one == null ? match.leaseNo() : one.leaseNo();
      counts[i] = one == null ? 0 : one.redriveCount();
      outcomes.add((one == null ? RedriveOutcome.SKIPPED : RedriveOutcome.WAITING).word());
      details.add(one != null ? "" : match.isDead() ? "event_gone" : "left_the_shelf");
    }
    int recorded =
        handle
            .createUpdate(RECORD)
            .bind("shard", task.key().shard())
            .bind("redrive", task.key().id())
            .bind("destination", task.destinationId())
            .bind("now", Bind.time(now))
            .bind("events", Bind.uuids(events))
            .bind("letters", Bind.longs(letters))
            .bind("leaseNos", Bind.longs(leaseNos))
            .bind("counts", Bind.ints(counts))
            .bind("outcomes", Bind.texts(outcomes))
            .bind("details", Bind.texts(details))
            .execute();
    if (recorded < put.size()) {
      throw new IllegalStateException(
          "redrive %s would have released %d messages twice"
              .formatted(task.key().id(), put.size() - recorded));
    }
    return recorded;
  }

  /**
   * Counts on, in step with the looks at outcomes. What was counted before the cursor came by is
   * released or skipped by now, so that the sum does not depend on who is ahead.
   */
  private static Row count(Handle handle, Row row, RedriveTask task, Instant now) {
    RedriveProgress progress = task.progress();
    RedriveCounts counts = progress.counts();
    boolean behind = progress.cursor() >= row.countedTo();
    long counted = behind ? counts.released() + counts.skipped() : row.counted();
    long to = behind ? progress.cursor() : row.countedTo();
    boolean turn = progress.state() == RedriveState.RUNNING && progress.lookedAt().equals(now);
    if (turn && to < progress.bound()) {
      Matched page =
          Matches.page(
              handle,
              task.key().shard(),
              task.filter(),
              task.startedAt(),
              to,
              progress.bound(),
              COUNTED_AT_ONCE);
      counted += page.matches().size();
      to = page.cursor();
    }
    return new Row(
        to >= progress.bound() ? task.withMatched(counted) : task,
        row.writers(),
        row.lookAfter(),
        counted,
        to,
        row.runner(),
        row.runnerUntil());
  }

  /** The end that a redrive gave itself is an act, and stands in the audit. */
  private static void auditEnd(Handle handle, RedriveTask before, RedriveTask after, Instant now) {
    RedriveProgress progress = after.progress();
    if (progress.state() != before.progress().state() && !progress.state().active()) {
      AuditLog.write(
          handle,
          now,
          new Audit("penstock", progress.explained()),
          AuditLog.Line.of(
              progress.state() == RedriveState.ABORTED ? "redrive.abort" : "redrive.complete",
              after.subject(),
              after.tenantId()));
    }
  }

  private static void save(
      Handle handle, Row row, String node, @Nullable Instant again, Instant now) {
    RedriveProgress progress = row.task().progress();
    RedriveCounts counts = progress.counts();
    handle
        .createUpdate(SAVE)
        .bind("shard", row.task().key().shard())
        .bind("redrive", row.task().key().id())
        .bind("state", progress.state().word())
        .bind("cursor", progress.cursor())
        .bind("released", counts.released())
        .bind("skipped", counts.skipped())
        .bind("waiting", counts.waiting())
        .bind("retrying", counts.retrying())
        .bind("delivered", counts.delivered())
        .bind("dead", counts.dead())
        .bind("cancelled", counts.cancelled())
        .bind("lost", counts.lost())
        .bind("canaryPassed", progress.canaryPassed())
        .bind("paceFrom", Bind.time(progress.paceFrom()))
        .bind("paceReleased", progress.paceReleased())
        .bind("lookedAt", Bind.time(progress.lookedAt()))
        .bind("lookAfter", row.lookAfter())
        .bind("counted", row.counted())
        .bind("countedTo", row.countedTo())
        .bind("waitsFor", progress.waitsFor())
        .bind("explained", progress.explained())
        .bind("endedAt", Matches.timeOrNull(row.task().endedAt()))
        .bind("dueAt", Matches.timeOrNull(again))
        .bind("node", node)
        .bind("leaseUntil", Bind.time(now.plus(LEASE)))
        .execute();
  }
}
