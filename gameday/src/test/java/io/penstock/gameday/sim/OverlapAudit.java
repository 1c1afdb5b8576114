package io.penstock.gameday.sim;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.testkit.rows.DeliveryRow;
import io.penstock.testkit.rows.Inspection;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What several nodes saw of one ledger while they overlapped, held against the promises. It hears
 * of a claim after it returned and of a settle before it begins, so that a lease which looks alive
 * here may have ended, and one which looks ended here has not begun again unseen: it never accuses
 * a sound ledger. Safe for use by many threads.
 */
final class OverlapAudit {
  private static final int MOST_LINES = 20_000;

  private final Map<DeliveryKey, Map<Long, Held>> leases = new LinkedHashMap<>();
  private final Map<String, Integer> slots = new TreeMap<>();
  private final Set<DeliveryKey> promised = new HashSet<>();
  private final Set<DeliveryKey> tookIt = new HashSet<>();
  private final Set<DeliveryKey> cancelled = new HashSet<>();
  private final Map<DeliveryKey, CompletableFuture<Void>> leasedAgain = new HashMap<>();
  private final BudgetChain budgets = new BudgetChain();
  private final Deque<Line> story = new ArrayDeque<>();
  private @Nullable BrokenPromise broken;
  private long claims;
  private long overlaps;

  private record Line(String about, String what) {}

  /** One lease. */
  private static final class Held {
    final long no;
    final Instant until;
    @Nullable Instant granted;
    @Nullable String node;
    int settles;
    int applied;
    int attempts;

    Held(long no, Instant until) {
      this.no = no;
      this.until = until;
    }
  }

  /** Nobody has done anything yet that ends it before its time. */
  private boolean untouched(DeliveryKey key, Held held) {
    return held.settles == 0 && !cancelled.contains(key);
  }

  synchronized void slotsAre(String destinationId, int most) {
    slots.merge(destinationId, most, Math::max);
  }

  synchronized void promised(DeliveryKey key) {
    promised.add(key);
  }

  synchronized void arrived(DeliveryKey key) {
    tookIt.add(key);
  }

  /** Goes on until a promise breaks: that is the end of the story. */
  synchronized void tell(String who, String about, String what) {
    if (broken != null) {
      return;
    }
    story.addLast(new Line(about, who + " " + what));
    if (story.size() > MOST_LINES) {
      story.removeFirst();
    }
  }

  synchronized @Nullable BrokenPromise found() {
    return broken;
  }

  /** Claims that leased something. */
  synchronized long claims() {
    return claims;
  }

  /** Claims that found a budget locked by somebody else. */
  synchronized long overlaps() {
    return overlaps;
  }

  synchronized void broken(String promise, String about, String how) {
    if (broken == null) {
      tell("AUDITOR", about, promise + ": " + how);
      broken = new BrokenPromise(promise, about, how);
    }
  }

  /** Completes this when the delivery is leased the next time: the worst moment to wake up. */
  synchronized void whenLeasedAgain(DeliveryKey key, CompletableFuture<Void> then) {
    leasedAgain.put(key, then);
  }

  // ---- leases

  private Held held(Leased lease) {
    return leases
        .computeIfAbsent(lease.key(), key -> new TreeMap<>())
        .computeIfAbsent(lease.leaseNo(), no -> new Held(no, lease.leaseUntil()));
  }

  synchronized void claimed(String node, Claim claim) {
    overlaps += claim.skipped().size();
    claims += claim.leased().isEmpty() ? 0 : 1;
    for (Leased lease : claim.leased()) {
      String id = lease.key().destinationId();
      tell(node, id, "leases " + name(lease) + " until " + lease.leaseUntil());
      Held held = held(lease);
      if (held.node != null) {
        broken(
            "one lease per lease number",
            id,
            "%s was granted to %s and to %s".formatted(name(lease), held.node, node));
      }
      held.node = node;
      held.granted = claim.now();
      leases
          .getOrDefault(lease.key(), Map.of())
          .values()
          .forEach(one -> apart(lease.key(), held, one));
      CompletableFuture<Void> waits = leasedAgain.remove(lease.key());
      if (waits != null) {
        waits.complete(null);
      }
      long live = live(id, claim.now());
      if (live > slots.getOrDefault(id, 0)) {
        broken("slots are never exceeded", id, live + " leases are live of " + slots.get(id));
      }
    }
  }

  /** Of two leases of one delivery the first has ended before the second began. */
  private void apart(DeliveryKey key, Held a, Held b) {
    Held first = a.no < b.no ? a : b;
    Held second = a.no < b.no ? b : a;
    Instant began = second.granted;
    if (a.no != b.no && untouched(key, first) && began != null && first.until.isAfter(began)) {
      broken(
          "never two live leases of one delivery",
          key.destinationId(),
          "lease %d of %s of %s ran until %s, and lease %d went to %s at %s"
              .formatted(
                  first.no, nth(key), first.node, first.until, second.no, second.node, began));
    }
  }

  private long live(String id, Instant now) {
    return leases.entrySet().stream()
        .filter(entry -> entry.getKey().destinationId().equals(id))
        .filter(entry -> !cancelled.contains(entry.getKey()))
        .flatMap(entry -> entry.getValue().values().stream())
        .filter(held -> held.settles == 0 && held.until.isAfter(now))
        .filter(held -> held.granted != null && !held.granted.isAfter(now))
        .count();
  }

  /** A cancel begins; it may wait behind a claim that has not returned yet. */
  synchronized void cancels(DeliveryKey key) {
    tell("operator", key.destinationId(), "cancels " + nth(key));
    cancelled.add(key);
  }

  synchronized void settles(List<Settlement> batch) {
    batch.forEach(one -> held(one.lease()).settles++);
  }

  synchronized void settled(String node, Settled settled) {
    for (Settled.Applied one : settled.applied()) {
      Leased lease = one.settlement().lease();
      Held held = held(lease);
      held.attempts += one.settlement().attempt() == null ? 0 : 1;
      tell(node, lease.key().destinationId(), "settles " + name(lease) + ": " + one.move());
      if (++held.applied > 1) {
        broken(
            "one settle per lease number",
            lease.key().destinationId(),
            name(lease) + " was settled " + held.applied + " times");
      }
    }
    for (Settlement one : settled.stale()) {
      Held held = held(one.lease());
      String id = one.lease().key().destinationId();
      tell(node, id, "finds stale " + name(one.lease()));
      boolean alone = held.settles == 1 && !cancelled.contains(one.lease().key());
      if (alone && !(one.feedback() instanceof Feedback.LeaseLost)) {
        broken("who has the lease can settle", id, name(one.lease()) + " was stale for " + node);
      }
    }
  }

  // ---- budgets

  synchronized void read(String budgetId, BudgetState state) {
    List<BudgetState> wanted = budgets.read(budgetId, state);
    if (wanted != null) {
      broken("no update is lost", budgetId, "budget " + state + " was read instead of " + wanted);
    }
  }

  synchronized void written(long transaction, Map<String, BudgetState> states) {
    states.forEach((id, state) -> budgets.written(transaction, id, state));
  }

  synchronized void committed(long transaction) {
    budgets.committed(transaction);
  }

  // ---- the end

  synchronized List<DeliveryKey> promised() {
    return List.copyOf(promised);
  }

  /** Holds the rows, when nothing waits any more, against what was seen. */
  synchronized void finish(Inspection rows) {
    for (DeliveryKey key : promised) {
      String id = key.destinationId();
      DeliveryRow row = rows.delivery(key).orElse(null);
      if (row == null || row.hot()) {
        broken("what was accepted ends", id, nth(key) + " is " + row);
        continue;
      }
      if (row.state() == DeliveryState.DELIVERED && !tookIt.contains(key)) {
        broken("delivered has arrived", id, nth(key) + " never arrived: " + row);
      }
      Map<Long, Held> its = leases.getOrDefault(key, Map.of());
      Set<Long> booked = new HashSet<>();
      rows.attempts(key).forEach(attempt -> booked.add(attempt.leaseNo()));
      for (Held held : its.values()) {
        if (held.attempts > 0 && !booked.contains(held.no)) {
          broken("what is settled is booked", id, nth(key) + " has no attempt of " + held.no);
        }
      }
    }
    slots
        .keySet()
        .forEach(id -> {
          int running = rows.budget(id).inFlight();
          if (running != 0) {
            broken(
                "a slot is released once per lease", id, running + " in flight, nothing is leased");
          }
        });
  }

  /** What happened, the last lines about the destination of the broken promise. */
  synchronized List<String> story(int most) {
    String about = broken == null ? "" : broken.about;
    List<String> lines = new ArrayList<>();
    story.forEach(line -> {
      if (line.about.isEmpty() || line.about.equals(about)) {
        lines.add(line.what);
      }
    });
    return lines.subList(Math.max(0, lines.size() - most), lines.size());
  }

  private static String name(Leased lease) {
    return nth(lease.key()) + " lease " + lease.leaseNo();
  }

  private static String nth(DeliveryKey key) {
    return key.destinationId() + "/#" + (key.eventId().getLeastSignificantBits() & 0xffff);
  }
}
