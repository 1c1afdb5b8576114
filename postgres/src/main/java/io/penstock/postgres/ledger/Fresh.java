package io.penstock.postgres.ledger;

import static java.util.Objects.requireNonNull;

import io.penstock.engine.ledger.Acceptance.Suppressed;
import io.penstock.engine.ledger.CompleteRun;
import io.penstock.engine.ledger.Freshness;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Digest;
import io.penstock.postgres.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Which items of tubes are fresh. Costs nothing where nobody asks, and jobs without an item
 * nothing.
 */
final class Fresh {
  private static final String FIND = Sql.of(Fresh.class, "fresh_find.sql");
  private static final String NOTE = Sql.of(Fresh.class, "fresh_note.sql");

  private Fresh() {}

  /** One look: at what place of the batch, in which tube, for what. */
  private record Look(int index, String destinationId, String item, Freshness fresh) {}

  /**
   * The tubes in which the items of these events are fresh, by place in the batch.
   *
   * @param targets what each event would go to, by place
   */
  static Map<Integer, List<Suppressed>> find(
      Handle handle, Instant now, List<NewEvent> events, Map<Integer, List<Fan>> targets) {
    SortedMap<Integer, List<Look>> shards = new TreeMap<>();
    targets.forEach((index, fans) -> {
      NewEvent event = events.get(index);
      Freshness fresh = event.fresh();
      if (fresh != null) {
        String item = requireNonNull(event.item());
        for (Fan fan : fans) {
          shards
              .computeIfAbsent(fan.shard(), shard -> new ArrayList<>())
              .add(new Look(index, fan.destinationId(), item, fresh));
        }
      }
    });
    Map<Integer, List<Suppressed>> found = new HashMap<>();
    shards.forEach((shard, looks) -> find(handle, now, shard, looks, found));
    return found;
  }

  private static void find(
      Handle handle,
      Instant now,
      int shard,
      List<Look> looks,
      Map<Integer, List<Suppressed>> found) {
    handle
        .createQuery(FIND)
        .bind("shard", shard)
        .bind("destinations", Bind.texts(looks.stream().map(Look::destinationId).toList()))
        .bind("items", Bind.texts(looks.stream().map(Look::item).toList()))
        .bind("requires", Bind.texts(looks.stream().map(l -> line(l.fresh().requires())).toList()))
        .bind(
            "afterMicros",
            Bind.longs(
                looks.stream()
                    .mapToLong(look -> Bind.micros(now.minus(look.fresh().within())))
                    .toArray()))
        .map((row, context) -> {
          Look look = looks.get(row.getInt("n") - 1);
          return found
              .computeIfAbsent(look.index(), index -> new ArrayList<>())
              .add(suppressed(look.destinationId(), row));
        })
        .list();
  }

  private static Suppressed suppressed(String destinationId, ResultSet row) throws SQLException {
    return new Suppressed(
        destinationId,
        row.getObject("event_id", UUID.class),
        row.getLong("lease_no"),
        Bind.instant(row, "completed_at"),
        names(row.getString("artifacts")));
  }

  /** Notes complete runs that ended now; in the transaction that ends them. */
  static void note(Handle handle, int shard, List<CompleteRun> runs, Instant now) {
    if (runs.isEmpty()) {
      return;
    }
    record Key(String destinationId, String item, List<String> artifacts) {}
    Map<Key, CompleteRun> last = new LinkedHashMap<>();
    for (CompleteRun run : runs) {
      last.put(new Key(run.key().destinationId(), run.item(), run.artifacts()), run);
    }
    List<CompleteRun> noted = List.copyOf(last.values());
    handle
        .createUpdate(NOTE)
        .bind("shard", shard)
        .bind("now", Bind.time(now))
        .bind("mostSets", CompleteRun.MOST_SETS)
        .bind("destinations", texts(noted, run -> run.key().destinationId()))
        .bind("items", texts(noted, CompleteRun::item))
        .bind("artifacts", texts(noted, run -> line(run.artifacts())))
        .bind("hashes", Bind.bytes(noted.stream().map(Fresh::hash).toList()))
        .bind("events", Bind.uuids(noted.stream().map(run -> run.key().eventId()).toList()))
        .bind("leaseNos", Bind.longs(noted.stream().mapToLong(CompleteRun::leaseNo).toArray()))
        .execute();
  }

  private static org.jdbi.v3.core.argument.Argument texts(
      List<CompleteRun> runs, Function<CompleteRun, String> column) {
    return Bind.texts(runs.stream().map(column).toList());
  }

  private static byte[] hash(CompleteRun run) {
    return Digest.sha256(line(run.artifacts()).getBytes(StandardCharsets.UTF_8));
  }

  /** Names of artifacts hold no blanks. */
  static String line(List<String> names) {
    return String.join(" ", names);
  }

  static List<String> names(String line) {
    return line.isEmpty() ? List.of() : List.of(line.split(" ", -1));
  }
}
