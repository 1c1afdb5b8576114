package io.penstock.postgres.limits;

import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What came in by destination and minute, from the roll-ups. Safe for use by many threads. */
public final class Arrivals {
  private static final String BY_MINUTE = Sql.of(Arrivals.class, "arrivals.sql");
  private static final String BUSIEST = Sql.of(Arrivals.class, "busiest.sql");

  private final Pool pool;

  public Arrivals(Pool pool) {
    this.pool = pool;
  }

  /** So many came in this minute. */
  public record Minute(Instant at, long admitted) {}

  /** The minutes of a time in which something came, oldest first, by destination. */
  public record Past(Instant from, Instant to, Map<String, List<Minute>> byDestination) {}

  /** The destinations to which most came of late, at most {@code most}. */
  public List<String> busiest(Duration of, int most) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(BUSIEST)
                .bind("from", Bind.time(pool.now(handle).minus(of)))
                .bind("most", most)
                .mapTo(String.class)
                .list());
  }

  /** The past of these destinations. */
  public Past of(List<String> destinationIds, Duration length) {
    return pool.read(
        Use.CALLER,
        handle -> {
          Instant to = pool.now(handle);
          Instant from = to.minus(length);
          Map<String, List<Minute>> found = new LinkedHashMap<>();
          handle
              .createQuery(BY_MINUTE)
              .bind(
                  "shards",
                  Bind.ints(
                      destinationIds.stream()
                          .mapToInt(id -> Shard.of(id, pool.shards()))
                          .toArray()))
              .bind("ids", Bind.texts(destinationIds))
              .bind("from", Bind.time(from))
              .map((row, context) -> {
                found
                    .computeIfAbsent(row.getString("destination_id"), _ -> new ArrayList<>())
                    .add(new Minute(Bind.instant(row, "minute"), row.getLong("admitted")));
                return true;
              })
              .list();
          return new Past(from, to, found);
        });
  }
}
