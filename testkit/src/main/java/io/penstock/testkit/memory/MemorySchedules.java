package io.penstock.testkit.memory;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.FiringPlan;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Schedules;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.memory.Interleave.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The schedules of a {@link MemoryLedger}. Safe for use by many threads. */
final class MemorySchedules implements Schedules {
  private final MemoryLedger ledger;
  private final Store store;

  MemorySchedules(MemoryLedger ledger) {
    this.ledger = ledger;
    this.store = ledger.store;
  }

  /** Names the row of a schedule among the locks. */
  private record ScheduleKey(String id) {}

  @Override
  public Made create(Function<Instant, Schedule> wanted, Audit by) {
    return ledger.in(
        Operation.SCHEDULE_COMMAND,
        tx -> {
          Schedule made = wanted.apply(tx.now());
          tx.step(Step.LOCK);
          tx.lock(new ScheduleKey(made.id()));
          synchronized (store) {
            if (!store.tenants.contains(made.tenantId())) {
              return new Made.NoTenant(made.tenantId());
            }
            if (ofTenant(made.tenantId()) >= MOST_OF_TENANT) {
              return new Made.Full(made.tenantId());
            }
            if (store.schedules.containsKey(made.id())) {
              return new Made.Taken(made.id());
            }
          }
          tx.write(new Change.ScheduleKept(made.id(), made));
          tx.audit(by, "schedule.create", made.id());
          return new Made.Created(made);
        });
  }

  private long ofTenant(String tenantId) {
    return store.schedules.values().stream().filter(s -> s.tenantId().equals(tenantId)).count();
  }

  @Override
  public Optional<Schedule> find(String id) {
    return ledger.in(Operation.SCHEDULE_READ, _ -> Optional.ofNullable(row(id)));
  }

  private @Nullable Schedule row(String id) {
    synchronized (store) {
      return store.schedules.get(id);
    }
  }

  @Override
  public List<Schedule> list(Set<String> tenantIds, @Nullable String after, int limit) {
    return ledger.in(
        Operation.SCHEDULE_READ,
        _ -> {
          synchronized (store) {
            return store.schedules.values().stream()
                .filter(one -> tenantIds.isEmpty() || tenantIds.contains(one.tenantId()))
                .filter(one -> after == null || one.id().compareTo(after) > 0)
                .limit(limit)
                .toList();
          }
        });
  }

  @Override
  public Commanded command(String id, Command command, Audit by) {
    return ledger.in(
        Operation.SCHEDULE_COMMAND,
        tx -> {
          tx.step(Step.LOCK);
          tx.lock(new ScheduleKey(id));
          Schedule before = row(id);
          if (before == null) {
            return new Commanded.NotFound(id);
          }
          boolean pause = command == Command.PAUSE;
          if (before.paused() == pause) {
            return new Commanded.Already(before);
          }
          Schedule after = pause ? before.pausedNow() : before.resumedAt(tx.now());
          tx.write(new Change.ScheduleKept(id, after));
          tx.audit(by, pause ? "schedule.pause" : "schedule.resume", id);
          return new Commanded.Done(after);
        });
  }

  @Override
  public boolean delete(String id, Audit by) {
    return ledger.in(
        Operation.SCHEDULE_COMMAND,
        tx -> {
          tx.step(Step.LOCK);
          tx.lock(new ScheduleKey(id));
          if (row(id) == null) {
            return false;
          }
          tx.write(new Change.ScheduleKept(id, null));
          tx.audit(by, "schedule.delete", id);
          return true;
        });
  }

  @Override
  public Look look() {
    return ledger.in(
        Operation.SCHEDULE_READ,
        tx -> {
          Instant now = tx.now();
          Map<Integer, Instant> next = new TreeMap<>();
          synchronized (store) {
            for (Schedule one : store.schedules.values()) {
              if (one.nextAt() != null) {
                next.merge(shard(one), one.nextAt(), (a, b) -> a.isBefore(b) ? a : b);
              }
            }
          }
          return new Look(now, next);
        });
  }

  private int shard(Schedule schedule) {
    return Shard.of(schedule.id(), ledger.shards());
  }

  @Override
  public List<FiringPlan.Done> fire(Turn turn, Supplier<UUID> ids, Room room) {
    return ledger.in(Operation.SCHEDULE_FIRE, tx -> fire(tx, turn, ids, room));
  }

  @Override
  public List<String> due(Turn turn) {
    Instant now = look().now();
    return due(turn, now).stream().limit(turn.most()).map(Schedule::id).toList();
  }

  private List<Schedule> due(Turn turn, Instant now) {
    synchronized (store) {
      return store.schedules.values().stream()
          .filter(one -> shard(one) == turn.shard() && isDue(one, now))
          .filter(one -> !turn.without().contains(one.id()))
          .sorted(Comparator.comparing((Schedule s) -> Objects.requireNonNull(s.nextAt())))
          .toList();
    }
  }

  private List<FiringPlan.Done> fire(Transaction tx, Turn turn, Supplier<UUID> ids, Room room) {
    Instant now = tx.now();
    List<Schedule> seen = due(turn, now);
    tx.step(Step.LOCK);
    List<Schedule> locked = new ArrayList<>();
    for (Schedule one : seen) {
      if (locked.size() < turn.most() && tx.tryLock(new ScheduleKey(one.id()))) {
        Schedule current = row(one.id()); // as Postgres looks again at a row that was locked
        if (current != null && isDue(current, now)) {
          locked.add(current);
        }
      }
    }
    if (locked.isEmpty()) {
      return List.of();
    }
    tx.step(Step.PICK);
    FiringPlan plan = FiringPlan.of(locked, now, ids);
    List<Acceptance> answers = new AcceptWork(ledger, tx, room).run(plan.events());
    List<FiringPlan.Done> done = plan.after(answers);
    for (FiringPlan.Done one : done) {
      tx.write(new Change.ScheduleKept(one.schedule().id(), one.schedule()));
      one.firings().forEach(firing -> tx.write(new Change.Fired(firing)));
    }
    return done;
  }

  private static boolean isDue(Schedule schedule, Instant now) {
    return schedule.nextAt() != null && !schedule.nextAt().isAfter(now);
  }

  @Override
  public List<Firing> firings(String id, @Nullable Instant before, int limit) {
    return ledger.in(
        Operation.SCHEDULE_READ,
        _ -> {
          synchronized (store) {
            return store.firings.getOrDefault(id, new TreeMap<>()).descendingMap().values().stream()
                .filter(one -> before == null || one.at().isBefore(before))
                .limit(limit)
                .toList();
          }
        });
  }
}
