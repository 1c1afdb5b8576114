package io.penstock.postgres.shelf;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.shelf.Phrase;
import io.penstock.engine.shelf.ShelfTally;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;

/**
 * Takes dead letters away for good, with what was kept for them, and out of their groups: one small
 * transaction each. The payloads follow when no delivery needs them.
 */
public final class ShelfRemoval {
  private static final String LOOK = Sql.of(ShelfRemoval.class, "look.sql");
  private static final String LOOK_OF_TENANT = Sql.of(ShelfRemoval.class, "look_of_tenant.sql");
  private static final String REMOVE = Sql.of(ShelfRemoval.class, "remove.sql");

  private ShelfRemoval() {}

  /** Which of them go. */
  @FunctionalInterface
  public interface Choice {
    boolean goes(String tenantId, Reason reason, Instant lastSeen);
  }

  /**
   * What a look did.
   *
   * @param looked how many were looked at; 0 = there are no more
   * @param lastNo the highest number that was looked at
   * @param lastSeen when that one came
   * @param removed how many went
   */
  public record Looked(int looked, long lastNo, Instant lastSeen, int removed) {}

  /**
   * Looks at the next dead letters of a shard in the order in which they came, those that others
   * hold excepted, and takes away what {@code choice} says.
   */
  public static Looked look(Handle handle, int shard, long after, int most, Choice choice) {
    return handle.inTransaction(tx -> {
      ShelfCount count = ShelfCount.lock(tx, shard);
      List<Letter> looked =
          tx.createQuery(LOOK)
              .bind("shard", shard)
              .bind("after", after)
              .bind("headBytes", Phrase.MOST_BYTES)
              .bind("most", most)
              .map((row, context) -> Letter.read(row))
              .list();
      if (looked.isEmpty()) {
        return new Looked(0, after, Instant.EPOCH, 0);
      }
      List<Letter> gone =
          looked.stream()
              .filter(one -> choice.goes(one.tenantId(), one.reason(), one.lastSeen()))
              .toList();
      remove(tx, shard, gone, count.countedNo());
      Letter last = looked.getLast();
      return new Looked(looked.size(), last.deadLetterNo(), last.lastSeen(), gone.size());
    });
  }

  /** Takes away the next dead letters of a tenant; how many, 0 = there are no more. */
  public static int ofTenant(Handle handle, int shard, String tenantId, int most) {
    return handle.inTransaction(tx -> {
      ShelfCount count = ShelfCount.lock(tx, shard);
      List<Letter> gone =
          tx.createQuery(LOOK_OF_TENANT)
              .bind("shard", shard)
              .bind("tenant", tenantId)
              .bind("headBytes", Phrase.MOST_BYTES)
              .bind("most", most)
              .map((row, context) -> Letter.read(row))
              .list();
      remove(tx, shard, gone, count.countedNo());
      return gone.size();
    });
  }

  private static void remove(Handle handle, int shard, List<Letter> gone, long countedNo) {
    if (gone.isEmpty()) {
      return;
    }
    Set<Long> departed =
        new HashSet<>(
            handle
                .createQuery(REMOVE)
                .bind("shard", shard)
                .bind("numbers", numbers(gone))
                .bind("destinations", Bind.texts(gone.stream().map(Letter::destinationId).toList()))
                .bind("events", Bind.uuids(gone.stream().map(Letter::eventId).toList()))
                .bind("leaseNos", Bind.longs(gone.stream().mapToLong(Letter::leaseNo).toArray()))
                .mapTo(Long.class)
                .list());
    List<Letter> counted =
        gone.stream()
            .filter(one -> one.deadLetterNo() <= countedNo)
            .filter(one -> !departed.contains(one.deadLetterNo()))
            .toList();
    Set<String> destinations = new HashSet<>();
    counted.forEach(one -> destinations.add(one.destinationId()));
    ShelfTally tally = GroupRows.tally(handle, shard, new ArrayList<>(destinations));
    counted.forEach(one -> {
      tally.left(one.group());
      tally.notBefore(one.group(), one.lastSeen());
    });
    GroupRows.write(handle, shard, tally.changes());
  }

  private static Argument numbers(List<Letter> letters) {
    return Bind.longs(letters.stream().mapToLong(Letter::deadLetterNo).toArray());
  }
}
