package io.penstock.testkit.memory;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.ClaimRules.Grant;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What waits for one destination, as the partial index has it: one ordered range per lane and
 * urgency. Guarded by the store's monitor.
 */
final class Waiting {
  private static final Comparator<DeliveryRow> PLACE =
      Comparator.comparing(DeliveryRow::notBefore)
          .thenComparingLong(DeliveryRow::position)
          .thenComparing(row -> row.key().eventId());

  private final List<NavigableSet<DeliveryRow>> ranges = new ArrayList<>();

  Waiting() {
    for (int i = 0; i < Lane.values().length * Urgency.values().length; i++) {
      ranges.add(new TreeSet<>(PLACE));
    }
  }

  private Waiting(Waiting other) {
    for (NavigableSet<DeliveryRow> range : other.ranges) {
      ranges.add(new TreeSet<>(range));
    }
  }

  /** These rows as they are now, whatever happens to them later. */
  Waiting snapshot() {
    return new Waiting(this);
  }

  void add(DeliveryRow row) {
    range(row).add(row);
  }

  void remove(DeliveryRow row) {
    range(row).remove(row);
  }

  boolean isEmpty() {
    return ranges.stream().allMatch(NavigableSet::isEmpty);
  }

  int size() {
    return ranges.stream().mapToInt(NavigableSet::size).sum();
  }

  /** All rows, in the order of service. */
  List<DeliveryRow> rows() {
    return ranges.stream().flatMap(NavigableSet::stream).toList();
  }

  /** The due rows that a grant may have, in the order of service. */
  List<DeliveryRow> pick(Grant grant, Instant now) {
    List<DeliveryRow> picked = new ArrayList<>();
    int retries = 0;
    int batch = 0;
    for (DeliveryRow row : rows()) {
      boolean retry = row.lane() != Lane.FIRST;
      boolean isBatch = row.urgency() == Urgency.BATCH;
      if (picked.size() == grant.most()) {
        break;
      }
      if (row.notBefore().isAfter(now)
          || (retry && retries == grant.mostRetries())
          || (isBatch && batch == grant.mostBatch())) {
        continue;
      }
      picked.add(row);
      retries += retry ? 1 : 0;
      batch += isBatch ? 1 : 0;
    }
    return picked;
  }

  /** The heads of the ranges; there must be something waiting. */
  WalkEntry heads(String destinationId) {
    Instant earliest = Instant.MAX;
    Instant oldest = Instant.MAX;
    for (NavigableSet<DeliveryRow> range : ranges) {
      if (!range.isEmpty()) {
        DeliveryRow head = range.first();
        earliest = min(earliest, head.notBefore());
        oldest = min(oldest, head.ageFrom());
      }
    }
    return new WalkEntry(destinationId, earliest, oldest);
  }

  private static Instant min(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private NavigableSet<DeliveryRow> range(DeliveryRow row) {
    return ranges.get(row.lane().code() * Urgency.values().length + row.urgency().code());
  }
}
