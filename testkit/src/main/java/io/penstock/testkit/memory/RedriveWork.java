package io.penstock.testkit.memory;

import static java.util.Comparator.comparingLong;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.redrive.RedriveCounts;
import io.penstock.engine.redrive.RedriveDecision;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveInput;
import io.penstock.engine.redrive.RedriveKey;
import io.penstock.engine.redrive.RedriveOutcome;
import io.penstock.engine.redrive.RedrivePlan;
import io.penstock.engine.redrive.RedriveProgress;
import io.penstock.engine.redrive.RedriveRule;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveState;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives.Command;
import io.penstock.engine.redrive.Redrives.Commanded;
import io.penstock.engine.redrive.Redrives.Event;
import io.penstock.engine.redrive.Redrives.Started;
import io.penstock.engine.redrive.Redrives.Stepped;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Redrives: their start, commands and steps. Numbers of dead letters are places in the list. */
final class RedriveWork {
  /** Reasons under which a delivery ends without an attempt that ended it. */
  private static final Set<Reason> NO_OUTCOME =
      EnumSet.of(
          Reason.EXPIRED,
          Reason.DESTINATION_DISABLED,
          Reason.DESTINATION_DELETED,
          Reason.BACKLOG_FULL,
          Reason.CANCELLED);

  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;

  RedriveWork(MemoryLedger ledger, Transaction tx) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
  }

  /** Names a redrive's row. */
  private record TaskLock(String id) {}

  /** Names the one active redrive of a destination. */
  private record ActiveLock(String destinationId) {}

  /** A dead letter that a filter matches. */
  private record Match(long number, DeadLetterSeen letter, DeliveryRow row, boolean isDead) {}

  Started start(String id, RedriveFilter filter, RedriveSettings settings, Audit by) {
    List<Destination> found = ledger.find(Set.of(filter.destinationId()));
    if (found.isEmpty() || store.isDeleted(filter.destinationId())) {
      return new Started.NoDestination(filter.destinationId());
    }
    Destination destination = found.getFirst();
    tx.step(Step.LOCK);
    tx.lock(new ActiveLock(destination.id()));
    Instant now = tx.now();
    tx.step(Step.WRITE);
    Change.Redrive before = store.redrive(id);
    if (before != null) {
      return new Started.Active(before.after());
    }
    RedriveTask active = active(destination.id());
    if (active != null) {
      return new Started.Busy(active);
    }
    RedriveTask task =
        new RedriveTask(
            new RedriveKey(destination.shard(), id),
            destination.tenantId(),
            filter,
            settings,
            RedriveProgress.starting(bound(destination.id()), now),
            null,
            by.actor(),
            by.reason(),
            now,
            null);
    tx.write(new Change.Redrive(task, now));
    tx.audit(by, "redrive.start", task.subject());
    return new Started.Active(task);
  }

  private @Nullable RedriveTask active(String destinationId) {
    synchronized (store) {
      return store.redrives.values().stream()
          .map(Change.Redrive::after)
          .filter(task -> task.destinationId().equals(destinationId))
          .filter(task -> task.progress().state().active())
          .findFirst()
          .orElse(null);
    }
  }

  private long bound(String destinationId) {
    synchronized (store) {
      for (int i = store.deadLetters.size(); i > 0; i--) {
        if (store.deadLetters.get(i - 1).key().destinationId().equals(destinationId)) {
          return i;
        }
      }
      return 0;
    }
  }

  RedrivePlan plan(RedriveFilter filter) {
    tx.step(Step.PICK);
    List<Match> matches =
        matches(filter, Instant.MAX, 0, bound(filter.destinationId())).stream()
            .filter(Match::isDead)
            .toList();
    List<RedrivePlan.Sample> sample =
        matches.stream()
            .limit(RedrivePlan.MOST_SAMPLED)
            .map(match ->
                new RedrivePlan.Sample(
                    match.number(),
                    match.letter().key().eventId(),
                    match.letter().reason(),
                    outcome(match.letter()),
                    match.letter().lastStatus(),
                    match.letter().when()))
            .toList();
    return new RedrivePlan(matches.size(), true, sample);
  }

  /** The last deaths among the letters after {@code after}, and what left the shelf since. */
  private List<Match> matches(RedriveFilter filter, Instant started, long after, long bound) {
    synchronized (store) {
      List<Match> found = new ArrayList<>();
      for (long number = after + 1; number <= bound; number++) {
        DeadLetterSeen letter = store.deadLetters.get((int) number - 1);
        if (fits(filter, letter)) {
          DeliveryRow row = store.latest(letter.key());
          boolean isDead =
              row != null
                  && row.state() == DeliveryState.DEAD
                  && number == lastNumber(letter.key());
          if (row != null && (isDead || !row.ageFrom().isBefore(started))) {
            found.add(new Match(number, letter, row, isDead));
          }
        }
      }
      return found;
    }
  }

  private long lastNumber(DeliveryKey key) {
    for (int i = store.deadLetters.size(); i > 0; i--) {
      if (store.deadLetters.get(i - 1).key().equals(key)) {
        return i;
      }
    }
    return 0;
  }

  private boolean fits(RedriveFilter filter, DeadLetterSeen letter) {
    String outcome = outcome(letter);
    Instant from = filter.diedFrom();
    Instant before = filter.diedBefore();
    return letter.key().destinationId().equals(filter.destinationId())
        && (filter.outcomes().isEmpty() || (outcome != null && filter.outcomes().contains(outcome)))
        && (filter.reasons().isEmpty() || filter.reasons().contains(letter.reason()))
        && (filter.statuses().isEmpty() || filter.statuses().contains(letter.lastStatus()))
        && (from == null || !letter.when().isBefore(from))
        && (before == null || letter.when().isBefore(before))
        && (filter.eventIds().isEmpty() || filter.eventIds().contains(letter.key().eventId()))
        && (filter.types().isEmpty() || filter.types().contains(type(letter.key())));
  }

  private String type(DeliveryKey key) {
    Change.Event event = store.events.get(new Store.EventKey(key.shard(), key.eventId()));
    return event == null ? "" : event.event().type();
  }

  private @Nullable String outcome(DeadLetterSeen letter) {
    List<AttemptSeen> tries = store.attempts.getOrDefault(letter.key(), List.of());
    if (NO_OUTCOME.contains(letter.reason()) || tries.isEmpty()) {
      return null;
    }
    return tries.stream()
        .filter(attempt -> !attempt.startedAt().isAfter(letter.when()))
        .max(comparingLong(AttemptSeen::leaseNo))
        .map(AttemptSeen::outcome)
        .orElse(null);
  }

  Commanded command(String id, Command command, Audit by) {
    tx.step(Step.LOCK);
    tx.lock(new TaskLock(id));
    Instant now = tx.now();
    tx.step(Step.WRITE);
    Change.Redrive stored = store.redrive(id);
    if (stored == null) {
      return new Commanded.NotFound(id);
    }
    RedriveTask task = stored.after();
    RedriveState to = command.from(task.progress().state()).orElse(null);
    if (to == null) {
      return new Commanded.WrongState(task);
    }
    RedriveProgress progress = task.progress();
    RedriveTask after =
        task.with(
            new RedriveProgress(
                to,
                progress.cursor(),
                progress.bound(),
                progress.counts(),
                progress.canaryPassed(),
                progress.paceFrom(),
                progress.paceReleased(),
                progress.lookedAt(),
                to.word(),
                command.explained(by)),
            now);
    tx.write(new Change.Redrive(after, now));
    tx.audit(by, command.action(), after.subject());
    return new Commanded.Done(after);
  }

  Stepped step(RedriveKey key, RedriveRule rule) {
    tx.step(Step.LOCK);
    if (!tx.tryLock(new TaskLock(key.id()))) {
      return new Stepped.Elsewhere();
    }
    Change.Redrive stored = store.redrive(key.id());
    if (stored == null) {
      return new Stepped.Elsewhere();
    }
    Instant now = tx.now();
    tx.step(Step.GATES);
    RedriveTask before = stored.after();
    RedriveTask task = look(before, now);
    RedriveRule.Ruled ruled = rule.decide(task.settings(), task.progress(), input(task, now), now);
    RedriveProgress progress = ruled.progress();
    Instant again = ruled.decision().again();
    int released = 0;
    if (ruled.decision() instanceof RedriveDecision.Release(int most, _)) {
      RedriveRule.Released done = release(task, progress, most, now);
      progress = rule.released(progress, done);
      released = done.released();
      again = released < most ? now : again;
    }
    RedriveTask after = counted(task.with(progress, now));
    tx.write(new Change.Redrive(after, again));
    auditEnd(before, after);
    return new Stepped.Done(after, ruled.decision(), released);
  }

  private RedriveTask look(RedriveTask task, Instant now) {
    if (task.progress().mostToLook(now) == 0) {
      return task;
    }
    RedriveCounts counts = task.progress().counts();
    for (Event event : store.redriveEvents(task.key().id())) {
      if (event.outcome().open()) {
        DeliveryRow row = store.latest(event.key());
        RedriveOutcome outcome = outcomeOf(row, event);
        if (outcome != event.outcome()) {
          counts = counts.moved(event.outcome(), outcome, 1);
          Reason reason = row == null ? null : row.reason();
          tx.write(
              new Change.RedriveEvent(
                  task.key().id(),
                  new Event(
                      event.key(),
                      event.deadLetterNo(),
                      event.leaseNo(),
                      outcome,
                      reason == null ? "" : reason.word(),
                      event.at(),
                      outcome.open() ? null : now)));
        }
      }
    }
    return task.with(task.progress().looked(counts, now), now);
  }

  /** A row that was put back again since has a later lease number, and an age that began later. */
  private static RedriveOutcome outcomeOf(@Nullable DeliveryRow row, Event event) {
    if (row == null || row.ageFrom().isAfter(event.at())) {
      return RedriveOutcome.LOST;
    }
    return switch (row.state()) {
      case DELIVERED -> RedriveOutcome.DELIVERED;
      case DEAD -> RedriveOutcome.DEAD;
      case CANCELLED -> RedriveOutcome.CANCELLED;
      case PENDING, RETRYING, LEASED ->
          row.attempt() > 0 ? RedriveOutcome.RETRYING : RedriveOutcome.WAITING;
    };
  }

  private RedriveInput input(RedriveTask task, Instant now) {
    synchronized (store) {
      Destination destination = ledger.find(Set.of(task.destinationId())).getFirst();
      Gate.Closed closed = store.gateOf(destination).closed();
      Waiting waiting = store.waiting.get(destination.id());
      long ready =
          waiting == null
              ? 0
              : waiting.rows().stream().filter(row -> !row.notBefore().isAfter(now)).count();
      return new RedriveInput(true, closed, (int) Math.min(ready, task.settings().lowWatermark()));
    }
  }

  private RedriveRule.Released release(
      RedriveTask task, RedriveProgress progress, int most, Instant now) {
    tx.step(Step.PICK);
    List<Match> found =
        matches(task.filter(), task.startedAt(), progress.cursor(), progress.bound());
    tx.step(Step.WRITE);
    int released = 0;
    int skipped = 0;
    Set<DeliveryKey> told = new HashSet<>();
    for (Match match : found) {
      if (match.isDead() && released == most) {
        return new RedriveRule.Released(match.number() - 1, released, skipped);
      }
      DeliveryKey key = match.letter().key();
      tx.lock(key);
      DeliveryRow row = store.latest(key);
      boolean isDead = match.isDead() && row != null && row.equals(match.row());
      if (isDead) {
        DeliveryRow fresh = Moves.again(match.row(), now);
        tx.move(null, fresh);
        write(task, match, fresh.leaseNo(), RedriveOutcome.WAITING, "", now);
        released++;
      } else if (!store.hasRedriveEvent(task.key().id(), key) && told.add(key)) {
        write(task, match, match.row().leaseNo(), RedriveOutcome.SKIPPED, "left_the_shelf", now);
        skipped++;
      }
    }
    return new RedriveRule.Released(progress.bound(), released, skipped);
  }

  private void write(
      RedriveTask task,
      Match match,
      long leaseNo,
      RedriveOutcome outcome,
      String detail,
      Instant now) {
    tx.write(
        new Change.RedriveEvent(
            task.key().id(),
            new Event(
                match.letter().key(),
                match.number(),
                leaseNo,
                outcome,
                detail,
                now,
                outcome.open() ? null : now)));
  }

  /** All of the rest at once: memory is quick. */
  private RedriveTask counted(RedriveTask task) {
    if (task.matched() != null || task.progress().state() == RedriveState.STARTING) {
      return task;
    }
    RedriveProgress progress = task.progress();
    long rest =
        matches(task.filter(), task.startedAt(), progress.cursor(), progress.bound()).size();
    return task.withMatched(progress.counts().released() + progress.counts().skipped() + rest);
  }

  private void auditEnd(RedriveTask before, RedriveTask after) {
    RedriveState state = after.progress().state();
    if (state != before.progress().state() && !state.active()) {
      tx.audit(
          new Audit("penstock", after.progress().explained()),
          state == RedriveState.ABORTED ? "redrive.abort" : "redrive.complete",
          after.subject());
    }
  }
}
