package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Headers;
import io.penstock.postgres.Sql;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Writes accepted events and their deliveries, shard by shard. */
final class AcceptWrites {
  /** One round trip; as a step back of the clock may put rows below the marks of the claims. */
  private static final String WRITE =
      Sql.of(AcceptWrites.class, "accept_write.sql") + ";\n" + WaitingFrom.LOWER;

  private static final String DEAD = Sql.of(AcceptWrites.class, "accept_dead.sql");

  /** A delivery of an event. */
  private record Row(Candidate of, Fan fan) {}

  /** What goes into one shard: each event once, and its deliveries there. */
  private static final class Share {
    final List<Candidate> events = new ArrayList<>();
    final List<Row> waiting = new ArrayList<>();
    final List<Row> dead = new ArrayList<>();

    void add(Candidate event, Fan fan) {
      if (events.isEmpty() || events.getLast().index() != event.index()) {
        events.add(event);
      }
      (fan.dead() == null ? waiting : dead).add(new Row(event, fan));
    }
  }

  private AcceptWrites() {}

  static void write(Handle handle, Instant now, List<Candidate> accepted) {
    SortedMap<Integer, Share> shares = new TreeMap<>();
    for (Candidate one : accepted) {
      if (one.fans().isEmpty()) {
        shares.computeIfAbsent(one.home(), shard -> new Share()).events.add(one);
      }
      for (Fan fan : one.fans()) {
        shares.computeIfAbsent(fan.shard(), shard -> new Share()).add(one, fan);
      }
    }
    shares.forEach((shard, share) -> write(handle, now, shard, share));
  }

  private static void write(Handle handle, Instant now, int shard, Share share) {
    List<Candidate> events = share.events;
    List<Row> waiting = share.waiting;
    handle
        .createUpdate(WRITE)
        .bind("shard", shard)
        .bind("now", Bind.time(now))
        .bind("events", Bind.uuids(of(events, NewEvent::eventId)))
        .bind("tenants", Bind.texts(of(events, NewEvent::tenantId)))
        .bind("types", Bind.texts(of(events, NewEvent::type)))
        .bind("contentTypes", Bind.texts(of(events, NewEvent::contentType)))
        .bind("headers", Bind.texts(of(events, event -> Headers.format(event.headers()))))
        .bind("keys", Bind.texts(events.stream().map(e -> e.event().idempotencyKey()).toList()))
        .bind("sizes", Bind.ints(events.stream().mapToInt(e -> e.event().body().length).toArray()))
        .bind("bodyHashes", Bind.bytes(events.stream().map(Candidate::bodyHash).toList()))
        .bind("fans", Bind.texts(events.stream().map(event -> ids(shard, event)).toList()))
        .bind("items", Bind.texts(events.stream().map(e -> e.event().item()).toList()))
        .bind("suppressed", Bind.texts(events.stream().map(AcceptWrites::suppressed).toList()))
        .bind("bodies", Bind.bytes(events.stream().map(e -> e.event().body()).toList()))
        .bind(
            "waitDestinations",
            Bind.texts(waiting.stream().map(row -> row.fan().destinationId()).toList()))
        .bind("waitEvents", Bind.uuids(rows(waiting, NewEvent::eventId)))
        .bind("waitTenants", Bind.texts(rows(waiting, NewEvent::tenantId)))
        .bind("waitUrgencies", Bind.ints(urgencies(waiting)))
        .bind("waitSizes", Bind.ints(sizes(waiting)))
        .bind("waitDues", Bind.longs(dues(waiting, now)))
        .execute();
    if (!share.dead.isEmpty()) {
      shelve(handle, now, shard, share.dead);
    }
  }

  private static void shelve(Handle handle, Instant now, int shard, List<Row> dead) {
    handle
        .createUpdate(DEAD)
        .bind("shard", shard)
        .bind("now", Bind.time(now))
        .bind("day", LocalDate.ofInstant(now, ZoneOffset.UTC))
        .bind(
            "destinations",
            Bind.texts(dead.stream().map(row -> row.fan().destinationId()).toList()))
        .bind("events", Bind.uuids(rows(dead, NewEvent::eventId)))
        .bind("tenants", Bind.texts(rows(dead, NewEvent::tenantId)))
        .bind("urgencies", Bind.ints(urgencies(dead)))
        .bind("sizes", Bind.ints(sizes(dead)))
        .bind("reasons", Bind.texts(dead.stream().map(AcceptWrites::reason).toList()))
        .bind("bodyHashes", Bind.bytes(dead.stream().map(row -> row.of().bodyHash()).toList()))
        .bind("types", Bind.texts(rows(dead, NewEvent::type)))
        .execute();
  }

  private static String reason(Row row) {
    Reason dead = row.fan().dead();
    if (dead == null) {
      throw new IllegalArgumentException("a delivery without a reason is not dead");
    }
    return dead.word();
  }

  private static @Nullable String suppressed(Candidate event) {
    return event.suppressed().isEmpty()
        ? null
        : event.suppressed().stream().map(FirstAnswer::line).collect(Collectors.joining("\n"));
  }

  private static String ids(int shard, Candidate event) {
    return event.fans().stream()
        .filter(fan -> fan.shard() == shard)
        .map(Fan::destinationId)
        .collect(Collectors.joining(" "));
  }

  private static <T> List<T> of(List<Candidate> events, Function<NewEvent, T> column) {
    return events.stream().map(one -> column.apply(one.event())).toList();
  }

  private static <T> List<T> rows(List<Row> rows, Function<NewEvent, T> column) {
    return rows.stream().map(row -> column.apply(row.of().event())).toList();
  }

  /** When each is due, in microseconds. */
  private static long[] dues(List<Row> rows, Instant now) {
    return rows.stream()
        .mapToLong(row -> Bind.micros(row.of().event().dueAt(row.fan().destinationId(), now)))
        .toArray();
  }

  private static int[] urgencies(List<Row> rows) {
    return rows.stream().mapToInt(row -> row.of().event().urgency().code()).toArray();
  }

  private static int[] sizes(List<Row> rows) {
    return rows.stream().mapToInt(row -> row.of().event().body().length).toArray();
  }
}
