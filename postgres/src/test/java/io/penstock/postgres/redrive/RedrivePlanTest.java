package io.penstock.postgres.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.ledger.Explain;
import io.penstock.postgres.ledger.Explain.Parameter;
import io.penstock.postgres.ledger.HotPath;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a step of a redrive reads costs what it looks at, on a shelf of 200,000 dead letters. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("case 40: the plans of a redrive do not depend on how full the shelf is")
class RedrivePlanTest {
  private static final int LOOKED_AT = 500;

  /** Of each row looked at some index pages and its own, in five tables at most. */
  private static final int BUFFERS_OF_A_ROW = 30;

  /** Half of the shelf is one destination's, the rest lies with a thousand others. */
  private static final String FILL =
      """
      select penstock.add_day('2026-03-10');
      create temporary table filled as
        select i as n, case when i % 2 = 0 then 'dst_big' else 'dst_' || i % 1000 end as id,
          (substr(penstock.lowest_event_id('2026-03-10'), 1, 12) || lpad(to_hex(i), 20, '0'))::uuid
            as event
        from generate_series(1, 200000) i;
      insert into penstock.event (shard, event_id, tenant_id, type, content_type, headers, size,
        body_hash, destination_ids, body)
      select 0, event, 'acme', case when n % 10 = 0 then 'rare' else 't' end, 'text/plain', '', 1,
        sha256('x'), array[id], 'x'
      from filled;
      insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id, position,
        lane, urgency, state, attempt, not_before, age_from, lease_no, last_status, reason,
        redrive_count, size, done_at)
      select 0, id, event, '2026-03-10', 'acme', n, 0, 0, 'dead', 1, '2026-03-10 12:00+00',
        '2026-03-10 12:00+00', 1, 404, 'rejected', 0, 1, '2026-03-10 12:00+00'
      from filled;
      insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no,
        outcome, reason, last_status, response_head, attempts, first_seen, last_seen, event_type)
      select 0, id, event, 'acme', 1, 'rejected', 'rejected', 404, '', 1, '2026-03-10 12:00+00',
        '2026-03-10 12:00+00', 't'
      from filled
      order by n;
      insert into penstock.delivery (shard, destination_id, event_id, tenant_id, lane, urgency,
        state, attempt, not_before, age_from, lease_no, redrive_count, size)
      select 0, 'dst_big', gen_random_uuid(), 'acme', 2, i % 2, 'pending', 0,
        case when i % 4 = 0 then '2026-03-10 11:00+00'::timestamptz else 'infinity' end,
        '2026-03-10 12:00+00', 1, 1, 1
      from generate_series(1, 100000) i;
      insert into penstock.redrive_event (shard, redrive_id, destination_id, event_id,
        dead_letter_no, lease_no, redrive_count, outcome, at, ended_at)
      select 0, 'rdr_1', id, event, n, 1, 1,
        case when n % 20 = 0 then 'waiting' else 'delivered' end, '2026-03-10 12:00+00',
        case when n % 20 = 0 then null else '2026-03-10 12:00+00'::timestamptz end
      from filled
      where id = 'dst_big';
      analyze
      """;

  private final TestingLedger world;

  RedrivePlanTest(TestDatabase database) {
    world = TestingLedger.empty(database.settings(), 1);
  }

  @BeforeAll
  void fill() {
    world.pool().read(Use.CALLER, handle -> handle.execute(FILL));
  }

  private static Map<String, Parameter> parameters() {
    Map<String, Parameter> all = new HashMap<>();
    all.put("shard", new Parameter("int", "0"));
    all.put("destination", new Parameter("text", "'dst_big'"));
    all.put("redrive", new Parameter("text", "'rdr_1'"));
    all.put("after", new Parameter("bigint", "100000"));
    all.put("bound", new Parameter("bigint", "200000"));
    all.put("scan", new Parameter("int", Integer.toString(LOOKED_AT)));
    all.put("most", new Parameter("int", Integer.toString(LOOKED_AT)));
    all.put("started", new Parameter("timestamptz", "'2026-03-10 13:00+00'"));
    all.put("now", new Parameter("timestamptz", "'2026-03-10 13:00+00'"));
    for (String list : List.of("outcomes", "reasons", "types")) {
      all.put(list, new Parameter("text[]", "null"));
    }
    all.put("statuses", new Parameter("int[]", "null"));
    all.put("eventIds", new Parameter("uuid[]", "null"));
    all.put("diedFrom", new Parameter("timestamptz", "null"));
    all.put("diedBefore", new Parameter("timestamptz", "null"));
    return all;
  }

  /** Holds a statement to its plan and to what it touches when it runs. */
  private void holds(String file, Map<String, Parameter> parameters, int rows) {
    String sql = Sql.of(PostgresRedrives.class, file);
    world
        .pool()
        .transaction(
            Use.CALLER,
            handle -> {
              HotPath.enter(handle);
              return holds(handle, sql, parameters, rows);
            });
  }

  private static boolean holds(
      Handle handle, String sql, Map<String, Parameter> parameters, int rows) {
    List<String> plan = Explain.generic(handle, sql, parameters);
    String lines = String.join("\n", plan);
    assertThat(plan).as(lines).noneMatch(line -> line.contains("Seq Scan"));
    assertThat(Explain.buffers(handle, sql, parameters))
        .as(lines)
        .isBetween(1L, (long) rows * BUFFERS_OF_A_ROW);
    return true;
  }

  @Test
  void a_page_of_matches_costs_what_it_looks_at() {
    holds("matches.sql", parameters(), LOOKED_AT);
  }

  @Test
  void so_it_does_with_every_condition_at_once() {
    Map<String, Parameter> all = parameters();
    all.put("outcomes", new Parameter("text[]", "array['rejected']"));
    all.put("reasons", new Parameter("text[]", "array['rejected', 'exhausted']"));
    all.put("statuses", new Parameter("int[]", "array[404]"));
    all.put("types", new Parameter("text[]", "array['rare']"));
    all.put("diedFrom", new Parameter("timestamptz", "'2026-03-09 12:00+00'"));
    all.put("diedBefore", new Parameter("timestamptz", "'2026-03-11 12:00+00'"));
    holds("matches.sql", all, LOOKED_AT);
  }

  @Test
  void a_look_at_what_became_of_the_released_costs_what_is_open() {
    Map<String, Parameter> all = parameters();
    all.put("after", new Parameter("bigint", "0"));
    holds("look.sql", all, LOOKED_AT);
  }

  @Test
  void what_is_ready_is_counted_up_to_the_low_watermark_and_no_further() {
    holds("ready.sql", parameters(), LOOKED_AT / 10);
  }
}
