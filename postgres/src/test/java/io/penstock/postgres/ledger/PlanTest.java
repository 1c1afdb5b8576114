package io.penstock.postgres.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.ledger.Explain.Parameter;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The plans of the hot path are the same on an empty and on a full table. */
@PostgresTest
@ParameterizedClass
@EnumSource(PlanTest.Table.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("case 40: the plans do not depend on how full the tables are")
class PlanTest {
  private static final String CLAIM = Sql.of(Claims.class, "claim_pick.sql");
  private static final String SETTLE = Sql.of(Settles.class, "settle.sql");
  private static final String WALK = Sql.of(Walks.class, "walk.sql");
  private static final String EXPIRED = Sql.of(Walks.class, "expired_leases.sql");

  private static final String SHELVE = Sql.of(Moves.class, "shelve.sql");

  /** All that lock budgets. */
  private static final List<String> LOCKS =
      List.of(
          "budget_lock.sql",
          "claim_lock.sql",
          "settle_lock.sql",
          "job_lock.sql",
          "permit_lock.sql");

  private static final Map<String, Parameter> PARAMETERS = new HashMap<>();

  static {
    Stream.of("destinations", "kinds", "reasons", "outcomes", "details", "addresses", "nodes")
        .forEach(name -> add(name, "text[]", "array['dst_1', 'dst_2']"));
    Stream.of("most", "mostRetries", "mostBatch", "attempts", "statuses")
        .forEach(name -> add(name, "int[]", "array[1, 1]"));
    Stream.of("leaseMicros", "leaseNos", "notBeforeMicros", "startedMicros", "durationMicros")
        .forEach(name -> add(name, "bigint[]", "array[1, 1]::bigint[]"));
    add("workers", "text[]", "array['w1', 'w2']");
    add("pools", "text[]", "array['p1', null]");
    add("items", "text[]", "array['page/1', null]");
    add("requires", "text[]", "array['a b', '']");
    add("artifacts", "text[]", "array['a b', '']");
    add("hashes", "bytea[]", "array[sha256('a b'), sha256('')]");
    add("mostSets", "int", "8");
    add("places", "text[]", "array['(0,1)', '(0,2)']");
    Stream.of("charged", "untilMicros", "afterMicros", "generations", "worked", "yielded")
        .forEach(name -> add(name, "bigint[]", "array[1, 1]::bigint[]"));
    Stream.of("completed", "failed", "released", "empty")
        .forEach(name -> add(name, "int[]", "array[1, 1]"));
    Stream.of("lent", "probes", "anyYield")
        .forEach(name -> add(name, "boolean[]", "array[false, true]"));
    add("events", "uuid[]", "array[gen_random_uuid(), gen_random_uuid()]");
    add("lost", "boolean[]", "array[false, false]");
    add("heads", "bytea[]", "array['', '']::bytea[]");
    add("shard", "int", "0");
    add("now", "timestamptz", "'2026-03-10 12:00+00'");
    add("quiet", "timestamptz", "'2026-03-10 11:59:50+00'");
    add("day", "date", "'2026-03-10'");
    add("node", "text", "'node-1'");
    add("after", "text", "''");
    add("mostDeliveries", "int", "500");
    add("mostBytes", "bigint", "1000000");
    add("inlineBytes", "int", "8192");
  }

  @org.junit.jupiter.params.Parameter Table table = Table.EMPTY;

  private final TestingLedger world;

  PlanTest(TestDatabase database) {
    world = TestingLedger.empty(database.settings(), 1);
  }

  private static void add(String name, String type, String value) {
    PARAMETERS.put(name, new Parameter(type, value));
  }

  /** How the table is when the plan is made. */
  enum Table {
    EMPTY,
    EMPTY_AND_ANALYZED,
    FULL_BUT_NEVER_ANALYZED,
    FULL
  }

  @BeforeParameterizedClassInvocation
  void make() {
    world
        .pool()
        .transaction(
            Use.CALLER,
            handle -> {
              // As new: what was deleted would leave its pages behind.
              handle.execute(
                  "truncate penstock.budget, penstock.delivery, penstock.waiting_from,"
                      + " penstock.tube_lease, penstock.complete_run");
              if (table == Table.FULL || table == Table.FULL_BUT_NEVER_ANALYZED) {
                handle.execute(FILL);
              }
              if (table == Table.FULL || table == Table.EMPTY_AND_ANALYZED) {
                handle.execute("analyze");
              }
              return table;
            });
  }

  private static final String FILL =
      """
      insert into penstock.delivery (shard, destination_id, event_id, tenant_id, lane, urgency,
        state, attempt, not_before, age_from, lease_no, lease_until, leased_by, redrive_count, size)
      select 0, 'dst_' || i % 1000, gen_random_uuid(), 'acme', 0, 0,
        case when i % 10 = 0 then 'leased' else 'pending' end, 0, now(), now(), 0,
        case when i % 10 = 0 then now() end, case when i % 10 = 0 then 'node-1' end, 0, 10
      from generate_series(1, 50000) i;
      insert into penstock.waiting_from (shard, destination_id, since)
      select 0, 'dst_' || i, array_fill(now(), array[6])
      from generate_series(0, 999) i;
      insert into penstock.tube_lease (shard, destination_id, event_id, lease_no, worker, pool_id,
        held_from, charged_us, lent, generation, probe)
      select shard, destination_id, event_id, lease_no, 'worker-1', null, now(), 0, false, 0, false
      from penstock.delivery
      where state = 'leased';
      insert into penstock.complete_run (shard, destination_id, item, artifacts_hash, artifacts,
        event_id, lease_no, completed_at)
      select 0, 'dst_' || i % 100, 'page/' || i, sha256(''), '', gen_random_uuid(), 1, now()
      from generate_series(1, 50000) i
      """;

  private List<String> plan(String sql, Map<String, Parameter> parameters) {
    return world
        .pool()
        .transaction(
            Use.CALLER,
            handle -> {
              HotPath.enter(handle);
              return Explain.generic(handle, sql, parameters);
            });
  }

  @Test
  void a_claim_picks_by_index_and_updates_by_place() {
    List<String> plan = plan(CLAIM, PARAMETERS);
    assertThat(plan).anyMatch(line -> line.contains("Tid Scan on delivery"));
    assertThat(plan).anyMatch(line -> line.contains("Index Scan using delivery_waiting"));
    assertThat(plan).filteredOn(line -> line.contains("not_before >= ")).hasSize(2);
    assertThat(plan).anyMatch(line -> line.contains("Tid Scan on waiting_from"));
    assertNoScan(plan);
  }

  @Test
  void a_settle_finds_its_rows_by_primary_key() {
    List<String> plan = plan(SETTLE, PARAMETERS);
    assertThat(plan).filteredOn(line -> line.contains("using delivery_pkey")).hasSize(1);
    assertThat(plan).filteredOn(line -> line.contains("Tid Scan on delivery")).hasSize(2);
    assertThat(plan).noneMatch(line -> line.contains("delivery_leases"));
    assertThat(plan).anyMatch(line -> line.contains("using waiting_from_pkey on waiting_from w"));
    assertNoScan(plan);
  }

  @Test
  void a_mark_is_lowered_by_key() {
    Map<String, Parameter> two = new HashMap<>(PARAMETERS);
    two.put("waitDestinations", new Parameter("text[]", "array['dst_1', 'dst_2']"));
    two.put("waitDues", new Parameter("bigint[]", "array[1, 1]::bigint[]"));
    List<String> plan = plan(WaitingFrom.LOWER, two);
    assertThat(plan).anyMatch(line -> line.contains("using waiting_from_pkey on waiting_from w"));
    assertThat(plan).anyMatch(line -> line.contains("Backward using waiting_from_pkey"));
    assertNoScan(plan);
  }

  @Test
  void a_walk_and_a_search_for_lost_leases_use_their_indexes() {
    Map<String, Parameter> one = new HashMap<>(PARAMETERS);
    one.put("most", new Parameter("int", "100"));
    List<String> walk = plan(WALK, one);
    assertThat(walk).anyMatch(line -> line.contains("using delivery_waiting"));
    assertThat(walk).anyMatch(line -> line.contains("using waiting_from_pkey on waiting_from w"));
    assertNoScan(walk);
    List<String> expired = plan(EXPIRED, one);
    assertThat(expired).anyMatch(line -> line.contains("delivery_leases"));
    assertThat(expired).noneMatch(line -> line.contains("Seq Scan"));
  }

  @Test
  void budgets_are_written_and_deliveries_shelved_without_a_join_of_lists() {
    Map<String, Parameter> more = new HashMap<>(PARAMETERS);
    more.put("ids", new Parameter("text[]", "array['dst_1', 'dst_2']"));
    more.put("states", new Parameter("text[]", "array['1 a', '1 b']"));
    more.put("places", new Parameter("text[]", "array['(0,1)', '(0,2)']"));
    List<String> write = plan(LockedBudgets.WRITE, more);
    assertThat(write).anyMatch(line -> line.contains("Tid Scan on budget"));
    assertNoScan(write);
    List<String> lock = plan(Sql.of(LockedBudgets.class, "budget_lock.sql"), more);
    assertThat(lock).anyMatch(line -> line.contains("Index Scan Backward using budget_pkey"));
    assertThat(Explain.quadratic(lock)).isEmpty();
    more.put("most", new Parameter("int", "100"));
    more.put("destination", new Parameter("text", "'dst_1'"));
    more.put("reason", new Parameter("text", "'expired'"));
    more.put("agedBefore", new Parameter("timestamptz", "'2026-03-10 12:00+00'"));
    more.put("youngest", new Parameter("uuid", "gen_random_uuid()"));
    List<String> shelve = plan(SHELVE, more);
    assertThat(shelve).anyMatch(line -> line.contains("Tid Scan on delivery"));
    assertNoScan(shelve);
  }

  /** Thousands of versions that nobody has taken away: as under a snapshot of minutes. */
  private static final String OLD_VERSIONS =
      """
      insert into penstock.budget (shard, budget_id, state)
      select 0, 'dst_' || i, '1' from generate_series(1, 50) i;
      do $$
      begin
        for i in 1..600 loop
          update penstock.budget set state = rpad(i::text, 120, '0');
        end loop;
      end $$;
      analyze penstock.budget
      """;

  @Test
  @DisplayName("case 41: of a budget's versions the newest is looked at first")
  void case41_a_budget_is_looked_up_from_its_newest_version() {
    world.pool().transaction(Use.CALLER, handle -> handle.execute(OLD_VERSIONS));
    for (String file : LOCKS) {
      String lock =
          Stream.of(Sql.of(LockedBudgets.class, file).split(";"))
              .filter(statement -> statement.contains("for no key update"))
              .findFirst()
              .orElseThrow();
      List<String> plan = plan(lock, PARAMETERS);
      assertThat(plan)
          .as(file + "\n" + String.join("\n", plan))
          .anyMatch(line -> line.contains("Index Scan Backward using budget_pkey"))
          .noneMatch(line -> line.contains("Bitmap"));
    }
    // The others find the table as they were told it is.
    world.pool().transaction(Use.CALLER, handle -> handle.execute("truncate penstock.budget"));
  }

  @Test
  void jobs_are_found_by_primary_key_and_changed_by_place() {
    String job = Sql.of(Jobs.class, "job_lock.sql");
    List<String> lock = plan(job.substring(job.lastIndexOf(';') + 1), PARAMETERS);
    assertThat(lock).filteredOn(line -> line.contains("using delivery_pkey")).hasSize(1);
    assertThat(lock).filteredOn(line -> line.contains("using tube_lease_pkey")).hasSize(1);
    assertNoScan(lock);
    List<String> renew = plan(Sql.of(Jobs.class, "job_renew.sql"), PARAMETERS);
    assertThat(renew).anyMatch(line -> line.contains("Tid Scan on delivery"));
    assertThat(renew).anyMatch(line -> line.contains("Tid Scan on tube_lease"));
    assertNoScan(renew);
    List<String> letGo = plan(Jobs.LET_GO, PARAMETERS);
    assertThat(letGo).anyMatch(line -> line.contains("Tid Scan on tube_lease"));
    assertNoScan(letGo);
    assertNoScan(plan(Sql.of(Jobs.class, "job_hold.sql"), PARAMETERS));
    Map<String, Parameter> counts = new HashMap<>(PARAMETERS);
    counts.put("lost", new Parameter("int[]", "array[0, 1]"));
    assertNoScan(plan(Sql.of(Jobs.class, "job_count.sql"), counts));
    Map<String, Parameter> one = new HashMap<>(PARAMETERS);
    one.put("most", new Parameter("int", "100"));
    List<String> heads = plan(Sql.of(Walks.class, "heads.sql"), one);
    assertThat(heads).anyMatch(line -> line.contains("using delivery_waiting"));
    assertNoScan(heads);
    List<String> expired = plan(Sql.of(Jobs.class, "expired_jobs.sql"), one);
    assertThat(expired).anyMatch(line -> line.contains("using delivery_leases"));
    assertThat(expired).noneMatch(line -> line.contains("Seq Scan"));
  }

  @Test
  void complete_runs_are_found_by_primary_key_and_forgotten_by_place() {
    List<String> find = plan(Sql.of(Fresh.class, "fresh_find.sql"), PARAMETERS);
    assertThat(find).filteredOn(line -> line.contains("using complete_run_pkey")).hasSize(1);
    assertNoScan(find);
    List<String> note = plan(Sql.of(Fresh.class, "fresh_note.sql"), PARAMETERS);
    assertThat(note).anyMatch(line -> line.contains("using complete_run_pkey"));
    assertThat(note).anyMatch(line -> line.contains("Tid Scan on complete_run"));
    assertNoScan(note);
  }

  private static void assertNoScan(List<String> plan) {
    assertThat(plan)
        .as(String.join("\n", plan))
        .noneMatch(line -> line.contains("Seq Scan"))
        .noneMatch(line -> line.contains("Bitmap"));
    assertThat(Explain.quadratic(plan)).as(String.join("\n", plan)).isEmpty();
  }
}
