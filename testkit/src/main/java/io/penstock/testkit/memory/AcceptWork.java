package io.penstock.testkit.memory;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Acceptance.Fanned;
import io.penstock.engine.ledger.Acceptance.Suppressed;
import io.penstock.engine.ledger.Freshness;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import io.penstock.testkit.memory.Change.IdempotencyKey;
import io.penstock.testkit.memory.Change.KeyUse;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Accepts the events of one call. Touches no budget row. */
final class AcceptWork {
  private static final byte[] NO_BYTES = {};

  private final MemoryLedger ledger;
  private final Store store;
  private final Transaction tx;
  private final Room room;
  private final Map<IdempotencyKey, KeyUse> used = new HashMap<>();

  AcceptWork(MemoryLedger ledger, Transaction tx, Room room) {
    this.ledger = ledger;
    this.store = ledger.store;
    this.tx = tx;
    this.room = room;
  }

  List<Acceptance> run(List<NewEvent> events) {
    tx.step(Step.LOCK);
    lockKeys(events);
    Instant now = tx.now();
    tx.step(Step.WRITE);
    List<Acceptance> answers = new ArrayList<>();
    synchronized (store) {
      for (NewEvent event : events) {
        answers.add(accept(event, now));
      }
    }
    return answers;
  }

  /** A primary key decides who was first: the second waits for the first's commit. */
  private void lockKeys(List<NewEvent> events) {
    Map<String, IdempotencyKey> inOrder = new TreeMap<>();
    for (NewEvent event : events) {
      IdempotencyKey key = keyOf(event);
      if (key != null) {
        inOrder.put(key.tenantId() + "\n" + key.key(), key);
      }
    }
    inOrder.values().forEach(tx::lock);
  }

  private Acceptance accept(NewEvent event, Instant now) {
    if (!store.tenants.contains(event.tenantId())) {
      return new Acceptance.UnknownTenant(event.tenantId());
    }
    IdempotencyKey key = keyOf(event);
    String hash = Hash.ofBody(event);
    if (key != null) {
      KeyUse before = used.getOrDefault(key, store.keys.get(key));
      if (before != null && before.expiry().isAfter(now)) {
        return before.bodyHash().equals(hash)
            ? new Acceptance.Replayed(before.eventId(), before.answer(), before.suppressed())
            : new Acceptance.KeyConflict(before.eventId());
      }
    }
    List<Destination> targets = new ArrayList<>();
    for (String id : new LinkedHashSet<>(event.destinationIds())) {
      Destination destination = store.destinations.get(id);
      if (destination == null
          || store.deleted.contains(id)
          || !destination.tenantId().equals(event.tenantId())) {
        return new Acceptance.UnknownDestination(id);
      }
      targets.add(destination);
    }
    if (event.destinationIds().isEmpty()) {
      targets.addAll(subscribers(event));
    }
    List<Suppressed> suppressed = suppressed(event, targets, now);
    targets.removeIf(
        target -> suppressed.stream().anyMatch(one -> one.destinationId().equals(target.id())));
    Map<String, Room.Answer> rooms = new HashMap<>();
    targets.forEach(target -> rooms.put(target.id(), room.of(event.tenantId(), target.id())));
    Acceptance.Full full = full(targets, rooms);
    if (full != null) {
      return full;
    }
    List<Fanned> fanned = fanOut(event, targets, rooms, now);
    if (key != null) {
      KeyUse use =
          new KeyUse(
              event.eventId(), hash, fanned, suppressed, now.plus(MemoryLedger.IDEMPOTENCY_WINDOW));
      used.put(key, use);
      tx.write(new Change.Key(key, use));
    }
    return new Acceptance.Stored(event.eventId(), fanned, suppressed);
  }

  /** Those of its targets in which its item is fresh. */
  private List<Suppressed> suppressed(NewEvent event, List<Destination> targets, Instant now) {
    Freshness fresh = event.fresh();
    String item = event.item();
    List<Suppressed> found = new ArrayList<>();
    if (fresh != null && item != null) {
      for (Destination target : targets) {
        Change.Ran ran = store.fresh(new Store.Item(target.id(), item), fresh, now);
        if (ran != null) {
          found.add(
              new Suppressed(
                  target.id(),
                  ran.run().key().eventId(),
                  ran.run().leaseNo(),
                  ran.completedAt(),
                  ran.run().artifacts()));
        }
      }
    }
    return found;
  }

  /** Refused as a whole: the tenant is full, or every destination that could take it. */
  private Acceptance.@Nullable Full full(
      List<Destination> targets, Map<String, Room.Answer> rooms) {
    Acceptance.Full ofDestination = null;
    boolean allFull = true;
    for (Destination target : targets) {
      switch (rooms.get(target.id())) {
        case Room.TenantFull(var bound) -> {
          return bound.refused();
        }
        case Room.DestinationFull(var bound) when !isDisabled(target) ->
            ofDestination = ofDestination == null ? bound.refused() : ofDestination;
        case null, default -> allFull = false;
      }
    }
    return allFull ? ofDestination : null;
  }

  private boolean isDisabled(Destination destination) {
    return store.gateOf(destination).closed() == Gate.Closed.DISABLED;
  }

  private @Nullable Reason deadAtBirth(Destination target, Map<String, Room.Answer> rooms) {
    if (isDisabled(target)) {
      return Reason.DESTINATION_DISABLED;
    }
    return rooms.get(target.id()) instanceof Room.DestinationFull ? Reason.BACKLOG_FULL : null;
  }

  private List<Destination> subscribers(NewEvent event) {
    List<Destination> subscribed = new ArrayList<>();
    store.subscriptions.forEach((id, types) -> {
      Destination destination = store.destinations.get(id);
      if (destination != null
          && destination.tenantId().equals(event.tenantId())
          && (types.isEmpty() || types.contains(event.type()))) {
        subscribed.add(destination);
      }
    });
    return subscribed;
  }

  private List<Fanned> fanOut(
      NewEvent event, List<Destination> targets, Map<String, Room.Answer> rooms, Instant now) {
    Set<Integer> shards = new LinkedHashSet<>();
    targets.forEach(destination -> shards.add(destination.shard()));
    if (shards.isEmpty()) {
      shards.add(Shard.of(event.tenantId(), ledger.shards()));
    }
    shards.forEach(shard -> tx.write(new Change.Event(shard, event, now)));
    List<Fanned> fanned = new ArrayList<>();
    for (Destination destination : targets) {
      Reason reason = deadAtBirth(destination, rooms);
      DeliveryRow row = born(event, destination, reason, now);
      tx.move(null, row);
      if (reason != null) {
        tx.write(
            new Change.DeadLetter(
                new DeadLetterSeen(row.key(), row.tenantId(), reason, 0, NO_BYTES, 0, now)));
      }
      fanned.add(new Fanned(destination.id(), row.state(), reason));
    }
    return fanned;
  }

  private DeliveryRow born(
      NewEvent event, Destination destination, @Nullable Reason reason, Instant now) {
    Instant due = reason == null ? event.dueAt(destination.id(), now) : now;
    return new DeliveryRow(
        new DeliveryKey(destination.shard(), destination.id(), event.eventId()),
        event.tenantId(),
        store.nextPosition(),
        Lane.FIRST,
        event.urgency(),
        reason == null ? DeliveryState.PENDING : DeliveryState.DEAD,
        0,
        due,
        due,
        0,
        null,
        null,
        0,
        reason,
        0,
        event.body().length);
  }

  private static @Nullable IdempotencyKey keyOf(NewEvent event) {
    String key = event.idempotencyKey();
    return key == null ? null : new IdempotencyKey(event.tenantId(), key);
  }
}
