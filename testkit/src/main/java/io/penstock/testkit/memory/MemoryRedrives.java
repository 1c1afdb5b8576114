package io.penstock.testkit.memory;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;

import io.penstock.engine.ledger.Audit;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveKey;
import io.penstock.engine.redrive.RedriveOutcome;
import io.penstock.engine.redrive.RedrivePlan;
import io.penstock.engine.redrive.RedriveRule;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.memory.Interleave.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The redrives of a {@link MemoryLedger}. Nodes keep off each other by the task's lock alone. Safe
 * for use by many threads.
 */
final class MemoryRedrives implements Redrives {
  private final MemoryLedger ledger;
  private final Store store;

  MemoryRedrives(MemoryLedger ledger) {
    this.ledger = ledger;
    this.store = ledger.store;
  }

  @Override
  public Started start(String id, RedriveFilter filter, RedriveSettings settings, Audit by) {
    return ledger.in(
        Operation.REDRIVE_COMMAND,
        tx -> new RedriveWork(ledger, tx).start(id, filter, settings, by));
  }

  @Override
  public RedrivePlan plan(RedriveFilter filter, Duration budget) {
    return ledger.in(Operation.REDRIVE_READ, tx -> new RedriveWork(ledger, tx).plan(filter));
  }

  @Override
  public Optional<RedriveTask> find(String id) {
    return ledger.in(
        Operation.REDRIVE_READ,
        _ -> Optional.ofNullable(store.redrive(id)).map(Change.Redrive::after));
  }

  @Override
  public List<RedriveTask> list(Listing listing) {
    Boolean active = listing.active();
    Before before = listing.before();
    return ledger.in(
        Operation.REDRIVE_READ,
        _ ->
            store.allRedrives().stream()
                .map(Change.Redrive::after)
                .filter(task ->
                    listing.tenantIds().isEmpty() || listing.tenantIds().contains(task.tenantId()))
                .filter(task ->
                    listing.destinationId() == null
                        || task.destinationId().equals(listing.destinationId()))
                .filter(task -> active == null || task.progress().state().active() == active)
                .filter(task -> before == null || isBefore(task, before))
                .sorted(
                    comparing(RedriveTask::startedAt)
                        .thenComparing(task -> task.key().id())
                        .reversed())
                .limit(listing.limit())
                .toList());
  }

  private static boolean isBefore(RedriveTask task, Before before) {
    int order = task.startedAt().compareTo(before.startedAt());
    return order < 0 || (order == 0 && task.key().id().compareTo(before.id()) < 0);
  }

  @Override
  public Commanded command(String id, Command command, Audit by) {
    return ledger.in(
        Operation.REDRIVE_COMMAND, tx -> new RedriveWork(ledger, tx).command(id, command, by));
  }

  @Override
  public Due due(String node, int most) {
    return ledger.in(
        Operation.REDRIVE_READ,
        tx -> {
          Instant now = tx.now();
          List<Change.Redrive> wanting =
              store.allRedrives().stream()
                  .filter(row -> row.dueAt() != null)
                  .sorted(
                      comparing((Change.Redrive row) -> Objects.requireNonNull(row.dueAt()))
                          .thenComparing(row -> row.after().key().id()))
                  .limit(most)
                  .toList();
          List<RedriveKey> ripe =
              wanting.stream()
                  .filter(row -> !Objects.requireNonNull(row.dueAt()).isAfter(now))
                  .map(row -> row.after().key())
                  .toList();
          Duration next =
              wanting.isEmpty()
                  ? Duration.ofHours(1)
                  : Duration.between(now, Objects.requireNonNull(wanting.getFirst().dueAt()));
          return new Due(ripe, next.isNegative() ? Duration.ZERO : next);
        });
  }

  @Override
  public Stepped step(RedriveKey key, String node, RedriveRule rule) {
    return ledger.in(Operation.REDRIVE_STEP, tx -> new RedriveWork(ledger, tx).step(key, rule));
  }

  @Override
  public List<Event> events(
      RedriveKey key, @Nullable RedriveOutcome outcome, long after, int limit) {
    return ledger.in(
        Operation.REDRIVE_READ,
        _ ->
            store.redriveEvents(key.id()).stream()
                .filter(event -> event.deadLetterNo() > after)
                .filter(event -> outcome == null || event.outcome() == outcome)
                .sorted(comparingLong(Event::deadLetterNo))
                .limit(limit)
                .toList());
  }
}
