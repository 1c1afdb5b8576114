package io.penstock.postgres.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.FiringPlan;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Template;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What schedules cost a table that is full of them, and what a crash leaves of a firing. */
@PostgresTest
class ScheduleTableTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final DatabaseSettings settings;
  private TestingLedger world;
  private PostgresSchedules schedules;

  ScheduleTableTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  @SuppressWarnings("NullAway.Init") // JUnit calls it before every test
  void open() {
    world = TestingLedger.empty(settings, 1);
    schedules = new PostgresSchedules(world.pool());
  }

  private void make(String id, String... destinations) {
    Template template =
        new Template(
            "sync.due",
            "application/json",
            List.of(),
            new byte[] {'1'},
            Urgency.BATCH,
            List.of(destinations));
    schedules.create(
        now ->
            Schedule.made(
                id,
                TestingLedger.TENANT,
                Recurrence.Every.spread(MINUTE, id),
                CatchUp.DEFAULT,
                template,
                "key:test",
                "",
                now),
        TestingLedger.BY);
  }

  /** Ten thousand that come every minute, each at its place of it. */
  private void fill() {
    make("sch_0");
    world
        .pool()
        .transaction(
            Use.CALLER,
            handle -> {
              handle.execute(
                  """
                  insert into penstock.schedule (shard, schedule_id, tenant_id, every_seconds,
                    from_at, catch_up_seconds, missed, type, content_type, headers, urgency,
                    destination_ids, body, paused, next_at, fired, refused, too_old, merged, actor,
                    reason, created_at)
                  select shard, 'more_' || n, tenant_id, every_seconds,
                    next_at + n % 60 * interval '1 second', catch_up_seconds, missed, type,
                    content_type, headers, urgency, destination_ids, body, paused,
                    next_at + n % 60 * interval '1 second', 0, 0, 0, 0, actor,
                    reason, created_at
                  from penstock.schedule
                  cross join generate_series(1, 9999) as g(n)
                  """);
              return handle.execute("analyze penstock.schedule");
            });
  }

  @Test
  void a_look_at_ten_thousand_schedules_is_one_indexed_read_and_a_step_reads_what_it_takes() {
    fill();
    Instant now = schedules.look().now();
    String look = plan(PostgresSchedules.LOOK.replace(":shards", "array[0]"));
    assertThat(look)
        .contains("Index Only Scan using schedule_due")
        .doesNotContain("Seq Scan")
        .containsPattern("Index Only Scan using schedule_due.*rows=1");
    String due =
        plan(
            PostgresSchedules.DUE
                .replace(":shard", "0")
                .replace(":now", "timestamptz '" + now.plus(MINUTE) + "'")
                .replace(":without", "array['sch_x']")
                .replace(":most", "100"));
    assertThat(due)
        .containsPattern("Index Scan using schedule_due.*rows=100")
        .doesNotContain("Sort");
  }

  private String plan(String sql) {
    return world
        .pool()
        .transaction(
            Use.CALLER,
            handle ->
                String.join(
                    "\n",
                    handle
                        .createQuery("explain (analyze, costs off, timing off, summary off) " + sql)
                        .mapTo(String.class)
                        .list()));
  }

  @Test
  void ten_thousand_that_come_every_minute_come_in_small_steps() {
    fill();
    world.clock().advance(MINUTE);
    world.clock().advance(MINUTE);
    int fired = 0;
    List<FiringPlan.Done> done;
    do {
      done = schedules.fire(0, world.ids()::next, Room.ENDLESS);
      assertThat(done.size()).isLessThanOrEqualTo(FiringPlan.MOST_SCHEDULES);
      fired += done.size();
    } while (!done.isEmpty());
    assertThat(fired).isEqualTo(10_000);
    assertThat(count("schedule_firing")).isEqualTo(10_000);
    assertThat(count("event")).isEqualTo(10_000);
    assertThat(schedules.list(Set.of(), null, 20_000))
        .allMatch(one -> one.counts().fired() == 1 && one.counts().merged() <= 1);

    FiringRetention retention = new FiringRetention(world.pool());
    assertThat(retention.runOnce()).isZero();
    world.clock().advance(FiringRetention.KEPT);
    assertThat(retention.runOnce()).isEqualTo(10_000);
  }

  private int count(String table) {
    return world
        .pool()
        .read(
            Use.CALLER,
            handle ->
                handle
                    .createQuery("select count(*)::integer from penstock." + table)
                    .mapTo(Integer.class)
                    .one());
  }

  @Test
  void a_crash_after_any_statement_leaves_nothing_of_a_firing() {
    Destination destination = world.destination("dst_a");
    make("sch_a", "dst_a");
    world.clock().advance(MINUTE);
    for (String table :
        List.of("idempotency", "event", "delivery", "schedule_firing", "schedule")) {
      execute(
          """
          create function penstock.crash() returns trigger language plpgsql as $$
          begin raise exception 'crashed'; end $$;
          create trigger crash after insert or update on penstock.%s
            for each row execute function penstock.crash()
          """
              .formatted(table));
      assertThatThrownBy(() -> schedules.fire(0, world.ids()::next, Room.ENDLESS))
          .as(table)
          .hasMessageContaining("crashed");
      execute("drop function penstock.crash() cascade");
      assertThat(count("event") + count("delivery") + count("idempotency")).isZero();
      assertThat(count("schedule_firing")).isZero();
    }
    assertThat(schedules.fire(0, world.ids()::next, Room.ENDLESS)).hasSize(1);
    assertThat(schedules.fire(0, world.ids()::next, Room.ENDLESS)).isEmpty();
    assertThat(world.claim(destination, 10)).hasSize(1);
  }

  private void execute(String sql) {
    world
        .pool()
        .transaction(
            Use.CALLER,
            (Handle handle) -> {
              try (var statement = handle.getConnection().createStatement()) {
                return statement.execute(sql);
              } catch (java.sql.SQLException e) {
                throw new AssertionError(sql, e);
              }
            });
  }

  @Test
  void a_day_without_a_partition_gets_one() {
    make("sch_a");
    world.clock().advance(Duration.ofDays(400));
    assertThat(schedules.fire(0, world.ids()::next, Room.ENDLESS)).hasSize(1);
  }
}
