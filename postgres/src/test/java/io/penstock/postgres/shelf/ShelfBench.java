package io.penstock.postgres.shelf;

import io.penstock.budget.SystemAccess;
import io.penstock.engine.delivery.Reason;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.migration.Migrator;
import io.penstock.postgres.partition.Partitions;
import io.penstock.postgres.read.GroupReads;
import io.penstock.postgres.read.ShelfFilter;
import io.penstock.postgres.read.ShelfReads;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;

/**
 * Pages and groups of a big shelf, as a rough measure. Arguments: JDBC URL, user, dead letters to
 * add (0 = ask what is there).
 */
@SystemAccess("a measure of real time")
public final class ShelfBench {
  private static final int ROUNDS = 200;

  private ShelfBench() {}

  static void main(String[] arguments) {
    DatabaseSettings settings = DatabaseSettings.direct(arguments[0], arguments[1], "");
    int letters = Integer.parseInt(arguments[2]);
    new Migrator(settings).migrate();
    try (Pool pool = Pool.open(settings)) {
      new Partitions(pool).ahead();
      if (letters > 0) {
        fill(pool, letters);
        count(pool, letters);
      }
      ShelfReads shelf = new ShelfReads(pool);
      GroupReads groups = new GroupReads(pool);
      Instant hour = Instant.parse("2026-11-29T01:00:00Z");
      tell("first page", () -> shelf.page(ShelfFilter.ALL, null, 50));
      tell(
          "of a destination", () -> shelf.page(ShelfFilter.of(Set.of(), "dst_17", null), null, 50));
      tell("of a tenant", () -> shelf.page(ShelfFilter.of(Set.of("t_3"), null, null), null, 50));
      tell(
          "of a tenant and a rare reason",
          () -> shelf.page(ShelfFilter.of(Set.of("t_3"), null, Reason.GONE), null, 50));
      tell(
          "a rare reason of all",
          () -> shelf.page(ShelfFilter.of(Set.of(), null, Reason.GONE), null, 50));
      tell(
          "an hour long ago",
          () ->
              shelf.page(
                  new ShelfFilter(
                      Set.of(), null, null, null, null, null, hour, hour.plusSeconds(3_600), true),
                  null,
                  50));
      tell(
          "released ones",
          () ->
              shelf.page(
                  new ShelfFilter(Set.of(), null, null, null, null, null, null, null, false),
                  null,
                  50));
      tell("groups", () -> groups.page(GroupReads.Filter.ALL, true, null, 50));
      tell(
          "groups of a tenant",
          () -> groups.page(new GroupReads.Filter(Set.of("t_3"), null, null), true, null, 50));
      tell("causes of all", () -> groups.page(GroupReads.Filter.ALL, false, null, 50));
    }
  }

  private static void fill(Pool pool, int letters) {
    for (int done = 0; done < letters; done += 100_000) {
      int from = done;
      pool.transaction(
          Use.CALLER,
          handle ->
              handle
                  .createUpdate(
                      """
                      insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id,
                        lease_no, outcome, reason, last_status, response_head, attempts, first_seen,
                        last_seen, event_hash, event_type)
                      select 0, 'dst_' || i % 1000, gen_random_uuid(), 't_' || i % 100, 3,
                        'rejected', case when i % 50000 = 3 then 'gone' else 'rejected' end,
                        400 + i % 3,
                        convert_to('the order ' || i || ' has ' ||
                          (array['no buyer', 'no lines', 'a wrong date', 'no price'])[1 + i % 4] ||
                          repeat(' and more', 20), 'UTF8'),
                        1 + i % 8,
                        timestamptz '2026-11-28' + i * interval '0.1 second',
                        timestamptz '2026-11-28' + i * interval '0.1 second', sha256('x'),
                        'order.paid'
                      from generate_series(:from + 1, :to) i
                      """)
                  .bind("from", from)
                  .bind("to", from + 100_000)
                  .execute());
    }
    pool.transaction(
        Use.CALLER,
        handle ->
            handle.execute(
                """
                insert into penstock.shelf_departure (shard, dead_letter_no)
                select shard, dead_letter_no from penstock.dead_letter where dead_letter_no % 4 = 0
                """));
    pool.read(Use.CALLER, handle -> handle.execute("vacuum analyze penstock.dead_letter"));
    pool.read(Use.CALLER, handle -> handle.execute("analyze penstock.shelf_departure"));
  }

  private static void count(Pool pool, int letters) {
    ShelfCounter counter = new ShelfCounter(pool, System::nanoTime);
    counter.runOnce(Duration.ofMinutes(10));
    long started = System.nanoTime();
    int booked = counter.runOnce(Duration.ofMinutes(10));
    double seconds = (System.nanoTime() - started) / 1e9;
    System.out.printf(
        "counted %,d of %,d in %.1f s: %,.0f/s%n", booked, letters, seconds, booked / seconds);
  }

  private static void tell(String what, Runnable ask) {
    double[] millis = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long started = System.nanoTime();
      ask.run();
      millis[i] = (System.nanoTime() - started) / 1e6;
    }
    Arrays.sort(millis);
    System.out.printf(
        "%-32s median %6.1f ms   p95 %6.1f ms   worst %6.1f ms%n",
        what, millis[ROUNDS / 2], millis[ROUNDS * 95 / 100], millis[ROUNDS - 1]);
  }
}
