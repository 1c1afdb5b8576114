package io.penstock.postgres.ledger;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Acceptance.Suppressed;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Digest;
import io.penstock.postgres.EventIds;
import io.penstock.postgres.Failures;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Results;
import io.penstock.postgres.Sql;
import io.penstock.postgres.partition.Partitions;
import java.sql.ResultSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * Takes events in: one transaction for a batch, three round trips, one more when events have keys,
 * and one more when some of them need not go where their item is fresh. No budget row is touched.
 * Safe for use by many threads.
 */
public final class Accepts {
  private static final String READ = Sql.of(Accepts.class, "accept_read.sql");
  private static final String POSTED = Sql.of(Accepts.class, "accept_posted.sql");

  private final Pool pool;
  private final Partitions partitions;
  private final Keys keys;
  private final int shards;

  Accepts(Pool pool, Partitions partitions, Keys keys, int shards) {
    this.pool = pool;
    this.partitions = partitions;
    this.keys = keys;
    this.shards = shards;
  }

  /** Of a migrated database, with the window of keys that the API promises. */
  public static Accepts of(Pool pool) {
    return new Accepts(
        pool, new Partitions(pool), new Keys(PostgresLedger.KEY_WINDOW), pool.shards());
  }

  /**
   * Takes events in within the caller's transaction; their ids must be new. A day without a
   * partition is the caller's affair.
   */
  public List<Acceptance> within(Handle handle, List<NewEvent> events, Room room) {
    return events.isEmpty() ? List.of() : accept(handle, events, room, false);
  }

  List<Acceptance> accept(List<NewEvent> events, Room room) {
    if (events.isEmpty()) {
      return List.of();
    }
    return partitions.onDemand(
        events.stream().map(event -> EventIds.time(event.eventId())).toList(),
        () -> acceptOnce(events, room));
  }

  /** An event that was posted before, by its id, is rare: it is looked for after it was hit. */
  private List<Acceptance> acceptOnce(List<NewEvent> events, Room room) {
    try {
      return pool.transaction(Use.CALLER, handle -> accept(handle, events, room, false));
    } catch (RuntimeException e) {
      if (!Failures.isDuplicate(e)) {
        throw e;
      }
      return pool.transaction(Use.CALLER, handle -> accept(handle, events, room, true));
    }
  }

  private List<Acceptance> accept(
      Handle handle, List<NewEvent> events, Room room, boolean postedBefore) {
    FanOut fanOut = new FanOut(room);
    Instant now = read(handle, events, fanOut);
    Map<Integer, Acceptance> answers = new HashMap<>();
    if (postedBefore) {
      findPosted(handle, events, answers);
    }
    List<Candidate> candidates = candidates(handle, now, events, fanOut, answers);
    Map<Integer, Candidate> repeats = repeats(candidates);
    keys.take(
        handle,
        now,
        candidates.stream()
            .filter(one -> one.keyHash() != null && !repeats.containsKey(one.index()))
            .toList(),
        answers);
    List<Candidate> accepted =
        candidates.stream()
            .filter(one -> !answers.containsKey(one.index()) && !repeats.containsKey(one.index()))
            .toList();
    AcceptWrites.write(handle, now, accepted);
    for (Candidate one : accepted) {
      FirstAnswer answer = one.answer();
      answers.put(
          one.index(),
          new Acceptance.Stored(one.event().eventId(), answer.deliveries(), answer.suppressed()));
    }
    for (Candidate one : candidates) {
      Candidate first = repeats.get(one.index());
      if (first != null) {
        answers.put(one.index(), repeat(one, first, answers));
      }
    }
    return IntStream.range(0, events.size()).mapToObj(i -> requireNonNull(answers.get(i))).toList();
  }

  /** What may be stored; puts an answer for the rest. */
  private List<Candidate> candidates(
      Handle handle,
      Instant now,
      List<NewEvent> events,
      FanOut fanOut,
      Map<Integer, Acceptance> answers) {
    SortedMap<Integer, List<Fan>> targets = new TreeMap<>();
    for (int i = 0; i < events.size(); i++) {
      if (!answers.containsKey(i)) {
        switch (fanOut.of(events.get(i))) {
          case FanOut.Targets.Of(var fans) -> targets.put(i, fans);
          case FanOut.Targets.Refused(var answer) -> answers.put(i, answer);
        }
      }
    }
    Map<Integer, List<Suppressed>> fresh = Fresh.find(handle, now, events, targets);
    List<Candidate> candidates = new ArrayList<>();
    targets.forEach((i, all) -> {
      NewEvent event = events.get(i);
      List<Suppressed> suppressed = fresh.getOrDefault(i, List.of());
      switch (fanOut.withRoom(event.tenantId(), without(all, suppressed))) {
        case FanOut.Fanned.To(var fans) ->
            candidates.add(Candidate.of(i, event, fans, suppressed, shards));
        case FanOut.Fanned.NoRoom(var fans, var answer) ->
            answers.put(
                i,
                keys.firstAnswer(handle, now, Candidate.of(i, event, fans, suppressed, shards))
                    .orElse(answer));
      }
    });
    return candidates;
  }

  private static List<Fan> without(List<Fan> fans, List<Suppressed> suppressed) {
    if (suppressed.isEmpty()) {
      return fans;
    }
    Set<String> ids = new HashSet<>();
    suppressed.forEach(one -> ids.add(one.destinationId()));
    return fans.stream().filter(fan -> !ids.contains(fan.destinationId())).toList();
  }

  private Instant read(Handle handle, List<NewEvent> events, FanOut fanOut) {
    Set<String> tenants = new HashSet<>();
    Set<String> subscribers = new HashSet<>();
    Set<String> types = new HashSet<>(Set.of(FanOut.ALL_TYPES));
    Set<String> named = new HashSet<>();
    for (NewEvent event : events) {
      tenants.add(event.tenantId());
      named.addAll(event.destinationIds());
      if (event.destinationIds().isEmpty()) {
        subscribers.add(event.tenantId());
        types.add(event.type());
      }
    }
    int[] in = named.stream().mapToInt(id -> Shard.of(id, shards)).distinct().toArray();
    return Results.of(
        handle
            .createQuery(READ)
            .bind("tenants", Bind.texts(tenants))
            .bind("subscribers", Bind.texts(subscribers))
            .bind("types", Bind.texts(types))
            .bind("destinations", Bind.texts(named))
            .bind("shards", Bind.ints(in)),
        results -> {
          results.next(); // the settings
          ResultSet clock = results.next();
          clock.next();
          Instant now = pool.ledgerTime(Bind.instant(clock, "now"));
          fanOut.readTenants(results.next());
          fanOut.readSubscriptions(results.next());
          fanOut.readDestinations(results.next());
          return now;
        });
  }

  /** Candidates whose key an earlier one of the batch has, by place, each with that first one. */
  private static Map<Integer, Candidate> repeats(List<Candidate> candidates) {
    record Key(String tenantId, String key) {}
    Map<Key, Candidate> firsts = new HashMap<>();
    Map<Integer, Candidate> repeats = new HashMap<>();
    for (Candidate one : candidates) {
      String key =
          requireNonNullElse(one.event().idempotencyKey(), one.event().eventId().toString());
      Candidate first = firsts.putIfAbsent(new Key(one.event().tenantId(), key), one);
      if (first != null) {
        repeats.put(one.index(), first);
      }
    }
    return repeats;
  }

  /** The answer to an event whose key an earlier one of the same batch has. */
  private static Acceptance repeat(
      Candidate late, Candidate first, Map<Integer, Acceptance> answers) {
    boolean same = Arrays.equals(late.bodyHash(), first.bodyHash());
    return switch (requireNonNull(answers.get(first.index()))) {
      case Acceptance.Stored(var eventId, var deliveries, var suppressed) ->
          same
              ? new Acceptance.Replayed(eventId, deliveries, suppressed)
              : new Acceptance.KeyConflict(eventId);
      case Acceptance.Replayed(var eventId, var deliveries, var suppressed) ->
          same
              ? new Acceptance.Replayed(eventId, deliveries, suppressed)
              : new Acceptance.KeyConflict(eventId);
      case Acceptance.KeyConflict conflict -> conflict;
      case Acceptance.UnknownTenant refused -> refused;
      case Acceptance.UnknownDestination refused -> refused;
      case Acceptance.Full refused -> refused;
    };
  }

  /** Answers the events that are stored already: an event id is a key too. */
  private void findPosted(Handle handle, List<NewEvent> events, Map<Integer, Acceptance> answers) {
    Map<UUID, Posted> posted = new HashMap<>();
    handle
        .createQuery(POSTED)
        .bind("shards", Bind.ints(IntStream.range(0, shards).toArray()))
        .bind("events", Bind.uuids(events.stream().map(NewEvent::eventId).toList()))
        .map((row, context) ->
            new Posted(
                row.getObject("event_id", UUID.class),
                row.getBytes("body_hash"),
                row.getString("answer")))
        .forEach(one -> posted.put(one.eventId(), one));
    for (int i = 0; i < events.size(); i++) {
      Posted first = posted.get(events.get(i).eventId());
      if (first != null) {
        FirstAnswer answer = FirstAnswer.parse(first.answer());
        byte[] hash = Digest.sha256(events.get(i).body());
        answers.put(
            i,
            Arrays.equals(hash, first.bodyHash())
                ? new Acceptance.Replayed(first.eventId(), answer.deliveries(), answer.suppressed())
                : new Acceptance.KeyConflict(first.eventId()));
      }
    }
  }

  /** An event that is stored already. */
  @SuppressWarnings("ArrayRecordComponent") // a digest, never changed; compared by Arrays.equals
  private record Posted(UUID eventId, byte[] bodyHash, String answer) {}
}
