package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where each range of the waiting index can still hold something, so that a claim need not step
 * over the entries of what has left. Hints of one node: a claim raises them and a settle lowers
 * them while they hold the budget's lock; what other nodes hand back, or an accept that took very
 * long, is found by a look from the very start every {@link #FULL_LOOK}. Safe for use by many
 * threads.
 */
final class Floors {
  /** Rows of an accept that is not committed yet may be so much older than now. */
  static final Duration SLACK = Duration.ofSeconds(10);

  /** After so long a destination is looked through from the start. */
  static final Duration FULL_LOOK = Duration.ofSeconds(30);

  private final Map<String, Destination> known = new ConcurrentHashMap<>();

  /** A range of the waiting index. */
  private record Range(Lane lane, Urgency urgency) {}

  private record Destination(Instant lookedAt, Map<Range, Instant> floors) {}

  /** From when on a range is to be read; the epoch = from the start. */
  Instant since(String destinationId, Lane lane, Urgency urgency) {
    Destination one = known.get(destinationId);
    return one == null
        ? Instant.EPOCH
        : one.floors().getOrDefault(new Range(lane, urgency), Instant.EPOCH);
  }

  /** Before a pick: forgets what was learned too long ago, or in a future that is none any more. */
  void freshen(Collection<Grant> grants, Instant now) {
    for (Grant grant : grants) {
      known.compute(
          grant.destinationId(),
          (id, one) ->
              one == null
                      || one.lookedAt().isAfter(now)
                      || !one.lookedAt().plus(FULL_LOOK).isAfter(now)
                  ? new Destination(spread(id, one, now), new ConcurrentHashMap<>())
                  : one);
    }
  }

  /** The first looks from the start are spread, so that they do not all come in one claim. */
  private static Instant spread(String id, @Nullable Destination before, Instant now) {
    return before == null
        ? now.minusMillis(Math.floorMod(id.hashCode(), FULL_LOOK.toMillis()))
        : now;
  }

  /** After a pick, under its locks: below what was taken in order nothing waits. */
  void raise(ClaimRequest request, List<Grant> grants, List<Leased> leased, Instant now) {
    long bytes = leased.stream().mapToLong(Leased::size).sum();
    boolean cut =
        leased.size() >= request.mostDeliveries()
            || bytes > request.mostBytes() - Claims.INLINE_BYTES;
    Map<String, List<Leased>> taken =
        leased.stream().collect(Collectors.groupingBy(one -> one.key().destinationId()));
    for (Grant grant : grants) {
      raise(grant, taken.getOrDefault(grant.destinationId(), List.of()), cut, now);
    }
  }

  private void raise(Grant grant, List<Leased> taken, boolean cut, Instant now) {
    Destination one = known.get(grant.destinationId());
    if (one == null) {
      return;
    }
    long retries = taken.stream().filter(row -> row.lane() != Lane.FIRST).count();
    long batch = taken.stream().filter(row -> row.urgency() == Urgency.BATCH).count();
    boolean full = cut || taken.size() >= grant.most();
    for (Lane lane : List.of(Lane.FIRST, Lane.RETRY)) {
      for (Urgency urgency : Urgency.values()) {
        boolean some =
            full
                || (lane != Lane.FIRST && retries >= grant.mostRetries())
                || (urgency == Urgency.BATCH && batch >= grant.mostBatch());
        if (some) {
          taken.stream()
              .filter(row -> row.lane() == lane && row.urgency() == urgency)
              .map(Leased::notBefore)
              .max(Instant::compareTo)
              .ifPresent(last -> raise(one, new Range(lane, urgency), last));
        } else {
          raise(one, new Range(lane, urgency), now.minus(SLACK));
        }
      }
    }
  }

  private static void raise(Destination one, Range range, Instant to) {
    one.floors().merge(range, to, (a, b) -> a.isAfter(b) ? a : b);
  }

  /** Before a settle that hands this back or lets it retry commits, under its locks. */
  void lower(Leased row, Lane lane, Instant notBefore) {
    Destination one = known.get(row.key().destinationId());
    if (one != null) {
      one.floors()
          .computeIfPresent(
              new Range(lane, row.urgency()),
              (range, floor) -> floor.isAfter(notBefore) ? notBefore : floor);
    }
  }

  /** A claim failed, and nobody knows whether it took effect. */
  void forget(Collection<String> destinationIds) {
    destinationIds.forEach(known::remove);
  }
}
