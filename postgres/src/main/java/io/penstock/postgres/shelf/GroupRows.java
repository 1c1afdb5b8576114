package io.penstock.postgres.shelf;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.shelf.GroupKey;
import io.penstock.engine.shelf.ShelfTally;
import io.penstock.engine.shelf.Tally;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;

/** The groups of one shard as rows; whoever writes them holds the lock of {@link ShelfCount}. */
final class GroupRows {
  private static final String WRITE = Sql.of(GroupRows.class, "write_groups.sql");

  private GroupRows() {}

  /** A tally that begins with all groups of these destinations. */
  static ShelfTally tally(Handle handle, int shard, Collection<String> destinationIds) {
    Map<GroupKey, Tally> standing = new HashMap<>();
    handle
        .createQuery(
            """
            select destination_id, tenant_id, reason, last_status, phrase, letters, first_at,
              last_at, example_no
            from penstock.shelf_group
            where shard = :shard and destination_id = any(:destinations)
            """)
        .bind("shard", shard)
        .bind("destinations", Bind.texts(destinationIds))
        .map((row, context) ->
            Map.entry(
                new GroupKey(
                    shard,
                    row.getString("destination_id"),
                    row.getString("tenant_id"),
                    Reason.ofWord(row.getString("reason")),
                    row.getInt("last_status"),
                    row.getString("phrase")),
                new Tally(
                    row.getLong("letters"),
                    Bind.instant(row, "first_at"),
                    Bind.instant(row, "last_at"),
                    row.getLong("example_no"))))
        .forEach(group -> standing.put(group.getKey(), group.getValue()));
    return new ShelfTally(standing);
  }

  /** Writes what changed; empty groups go. */
  static void write(Handle handle, int shard, Map<GroupKey, Tally> changes) {
    if (changes.isEmpty()) {
      return;
    }
    List<GroupKey> keys = new ArrayList<>(changes.keySet());
    List<Tally> tallies = keys.stream().map(changes::get).toList();
    handle
        .createUpdate(WRITE)
        .bind("shard", shard)
        .bind("destinations", texts(keys, GroupKey::destinationId))
        .bind("tenants", texts(keys, GroupKey::tenantId))
        .bind("reasons", texts(keys, key -> key.reason().word()))
        .bind("statuses", Bind.ints(keys.stream().mapToInt(GroupKey::status).toArray()))
        .bind("phrases", texts(keys, GroupKey::phrase))
        .bind("letters", longs(tallies, Tally::letters))
        .bind("firsts", longs(tallies, tally -> micros(tally.firstAt())))
        .bind("lasts", longs(tallies, tally -> micros(tally.lastAt())))
        .bind("examples", longs(tallies, Tally::exampleNo))
        .execute();
  }

  private static long micros(Instant at) {
    return Bind.micros(at);
  }

  private static org.jdbi.v3.core.argument.Argument texts(
      List<GroupKey> keys, Function<GroupKey, String> column) {
    return Bind.texts(keys.stream().map(column).toList());
  }

  private static org.jdbi.v3.core.argument.Argument longs(
      List<Tally> tallies, ToLongFunction<Tally> column) {
    return Bind.longs(tallies.stream().mapToLong(column).toArray());
  }
}
