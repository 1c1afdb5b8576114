package io.penstock.postgres.read;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Urgency;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.read.NextView.Line;
import io.penstock.postgres.read.NextView.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Reads what goes next. Safe for use by many threads. */
public final class NextReads {
  /** How long the destinations of a tenant are looked through. */
  static final Duration BUDGET = Duration.ofSeconds(1);

  private static final String NEXT = Sql.of(NextReads.class, "next.sql");

  private final Pool pool;
  private final ConfigurationReads configuration;
  private final LongSupplier nanoClock;

  public NextReads(Pool pool, LongSupplier nanoClock) {
    this.pool = pool;
    this.configuration = new ConfigurationReads(pool);
    this.nanoClock = nanoClock;
  }

  /**
   * Of one destination; empty when it does not exist.
   *
   * @param most of each lane and urgency, 1 to {@link Page#MOST_ITEMS}
   */
  public Optional<NextView> destination(String destinationId, int most) {
    Page.check(most);
    return configuration
        .destination(destinationId)
        .map(found -> {
          List<Line> lines = new ArrayList<>();
          var now = read(List.of(found), most, lines);
          if (lines.isEmpty()) {
            lines.add(new Line(found, List.of()));
          }
          return new NextView(now, lines, true);
        });
  }

  /**
   * Of a tenant's destinations, looked through for about a second.
   *
   * @param most of each destination, lane and urgency, 1 to {@link Page#MOST_ITEMS}
   */
  public NextView tenant(String tenantId, int most) {
    Page.check(most);
    long began = nanoClock.getAsLong();
    List<Line> lines = new ArrayList<>();
    String after = null;
    do {
      Page<DestinationView, String> page =
          configuration.destinations(Set.of(tenantId), after, Page.MOST_ITEMS);
      var now = read(page.items(), most, lines);
      after = page.next();
      if (after == null || nanoClock.getAsLong() - began > BUDGET.toNanos()) {
        return new NextView(now, lines, after == null);
      }
    } while (true);
  }

  /** Adds the lines of these destinations; the time of the reading. */
  private Instant read(List<DestinationView> destinations, int most, List<Line> lines) {
    Map<Integer, List<DestinationView>> byShard =
        destinations.stream().collect(Collectors.groupingBy(one -> one.destination().shard()));
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          byShard.forEach((shard, some) -> {
            Map<String, List<Place>> found = places(handle, shard, some, most);
            for (DestinationView one : some) {
              List<Place> first = found.get(one.destination().id());
              if (first != null) {
                lines.add(new Line(one, first));
              }
            }
          });
          return pool.now(handle);
        });
  }

  private static Map<String, List<Place>> places(
      Handle handle, int shard, List<DestinationView> destinations, int most) {
    Map<String, List<Place>> found = new HashMap<>();
    handle
        .createQuery(NEXT)
        .bind("shard", shard)
        .bind(
            "destinations",
            Bind.texts(destinations.stream().map(one -> one.destination().id()).toList()))
        .bind("most", most)
        .map((row, context) ->
            Map.entry(
                row.getString("destination_id"),
                new Place(
                    row.getObject("event_id", UUID.class),
                    Lane.ofCode(row.getInt("lane")),
                    Urgency.ofCode(row.getInt("urgency")),
                    row.getInt("attempt"),
                    Bind.instant(row, "not_before"),
                    Bind.instant(row, "age_from"))))
        .forEach(
            one -> found.computeIfAbsent(one.getKey(), _ -> new ArrayList<>()).add(one.getValue()));
    return found;
  }
}
