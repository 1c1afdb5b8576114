package io.penstock.postgres.shelf;

import io.penstock.engine.shelf.Phrase;
import io.penstock.engine.shelf.ShelfTally;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;

/**
 * Keeps the groups of the shelf: adds what has come to it, takes off what has left it. Nothing that
 * settles ever writes a group, so a mass death is counted in the background, in batches. Of several
 * nodes one counts a shard at a time. Used by one thread.
 *
 * <p>Dead letters are numbered as they are written and become visible as they are committed, which
 * is another order. So a number is taken as a barrier, and what lies up to it is counted when every
 * transaction that may hold a lower one has ended.
 */
public final class ShelfCounter {
  private static final String ARRIVALS = Sql.of(ShelfCounter.class, "arrivals.sql");
  private static final String DEPARTURES = Sql.of(ShelfCounter.class, "departures.sql");

  /** Dead letters of one transaction: some ten milliseconds. */
  static final int BATCH = 2_000;

  private final Pool pool;
  private final LongSupplier nanoClock;

  public ShelfCounter(Pool pool, LongSupplier nanoClock) {
    this.pool = pool;
    this.nanoClock = nanoClock;
  }

  /**
   * Counts for about {@code budget}; how many arrivals and departures it booked.
   *
   * @throws io.penstock.engine.ledger.LedgerException if the database cannot answer now
   */
  public int runOnce(Duration budget) {
    long started = nanoClock.getAsLong();
    int booked = 0;
    for (int shard = 0; shard < pool.shards(); shard++) {
      int batch;
      do {
        int of = shard;
        batch = pool.transaction(Use.CALLER, handle -> count(handle, of));
        booked += batch;
      } while (batch > 0 && nanoClock.getAsLong() - started < budget.toNanos());
    }
    return booked;
  }

  private int count(Handle handle, int shard) {
    handle.execute(
        """
        set local statement_timeout = '5s';
        set local lock_timeout = '1s';
        set local idle_in_transaction_session_timeout = '5s';
        set local jit = off
        """);
    long highest = highest(handle, shard); // before this transaction has an id of its own
    Optional<ShelfCount> locked = ShelfCount.tryLock(handle, shard);
    if (locked.isEmpty()) {
      return 0;
    }
    ShelfCount count = locked.get();
    if (count.normaliser() != Phrase.VERSION) {
      ShelfCount.restart(handle, shard);
      return 1;
    }
    int booked = 0;
    long countedNo = count.countedNo();
    if (count.passed() && countedNo < count.barrierNo()) {
      List<Arrival> arrivals = arrivals(handle, shard, countedNo, count.barrierNo());
      countedNo =
          arrivals.size() < BATCH ? count.barrierNo() : arrivals.getLast().letter().deadLetterNo();
      arrive(handle, shard, arrivals);
      booked = arrivals.size();
    }
    booked += depart(handle, shard, countedNo);
    ShelfCount.counted(handle, shard, countedNo, pool.now(handle));
    if (count.passed() && countedNo == count.barrierNo() && highest > count.barrierNo()) {
      ShelfCount.setBarrier(handle, shard, highest);
    }
    return booked;
  }

  private static long highest(Handle handle, int shard) {
    return handle
        .createQuery(
            """
            select dead_letter_no
            from penstock.dead_letter
            where shard = :shard
            order by dead_letter_no desc
            limit 1
            """)
        .bind("shard", shard)
        .mapTo(Long.class)
        .findOne()
        .orElse(0L);
  }

  /** A dead letter to count, unless it has departed already. */
  private record Arrival(Letter letter, boolean departed) {}

  private static List<Arrival> arrivals(Handle handle, int shard, long after, long upTo) {
    return handle
        .createQuery(ARRIVALS)
        .bind("shard", shard)
        .bind("after", after)
        .bind("upTo", upTo)
        .bind("headBytes", Phrase.MOST_BYTES)
        .bind("most", BATCH)
        .map((row, context) -> new Arrival(Letter.read(row), row.getBoolean("departed")))
        .list();
  }

  private static void arrive(Handle handle, int shard, List<Arrival> arrivals) {
    Set<String> destinations = new HashSet<>();
    arrivals.forEach(one -> destinations.add(one.letter().destinationId()));
    ShelfTally tally = GroupRows.tally(handle, shard, destinations);
    List<Long> departed = new ArrayList<>();
    for (Arrival one : arrivals) {
      Letter letter = one.letter();
      if (one.departed()) {
        departed.add(letter.deadLetterNo());
      } else {
        tally.arrived(letter.group(), letter.lastSeen(), letter.deadLetterNo());
      }
    }
    known(handle, shard, departed);
    GroupRows.write(handle, shard, tally.changes());
  }

  private static int depart(Handle handle, int shard, long upTo) {
    List<Long> orphans = new ArrayList<>();
    List<Letter> letters = new ArrayList<>();
    handle
        .createQuery(DEPARTURES)
        .bind("shard", shard)
        .bind("upTo", upTo)
        .bind("headBytes", Phrase.MOST_BYTES)
        .bind("most", BATCH)
        .map((row, context) -> {
          if (row.getString("destination_id") == null) {
            return orphans.add(row.getLong("dead_letter_no"));
          }
          return letters.add(Letter.read(row));
        })
        .list();
    Set<String> destinations = new HashSet<>();
    letters.forEach(letter -> destinations.add(letter.destinationId()));
    ShelfTally tally = GroupRows.tally(handle, shard, destinations);
    letters.forEach(letter -> tally.left(letter.group()));
    GroupRows.write(handle, shard, tally.changes());
    known(handle, shard, letters.stream().map(Letter::deadLetterNo).toList());
    forget(handle, shard, orphans);
    return letters.size() + orphans.size();
  }

  private static void known(Handle handle, int shard, List<Long> numbers) {
    if (!numbers.isEmpty()) {
      handle
          .createUpdate(
              """
              update penstock.shelf_departure
              set counted = true
              where shard = :shard and dead_letter_no = any(:numbers)
              """)
          .bind("shard", shard)
          .bind("numbers", longs(numbers))
          .execute();
    }
  }

  private static void forget(Handle handle, int shard, List<Long> numbers) {
    if (!numbers.isEmpty()) {
      handle
          .createUpdate(
              """
              delete from penstock.shelf_departure
              where shard = :shard and dead_letter_no = any(:numbers)
              """)
          .bind("shard", shard)
          .bind("numbers", longs(numbers))
          .execute();
    }
  }

  private static org.jdbi.v3.core.argument.Argument longs(List<Long> numbers) {
    return Bind.longs(numbers.stream().mapToLong(Long::longValue).toArray());
  }
}
