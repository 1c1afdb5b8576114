package io.penstock.postgres.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.outbox.Expansion;
import io.penstock.engine.outbox.Outbox;
import io.penstock.engine.outbox.OutboxReader;
import io.penstock.engine.outbox.OutboxRefusal;
import io.penstock.engine.outbox.OutboxRow;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.ledger.Explain;
import io.penstock.postgres.ledger.Explain.Parameter;
import io.penstock.postgres.ledger.HotPath;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The outbox, from the application's transaction to the event. */
@PostgresTest
class OutboxTest {
  private static final Room.Bound FULL =
      new Room.Bound("tenant acme", 10, 10, Duration.ofSeconds(20));

  private final DatabaseSettings settings;
  private TestingLedger world;
  private PostgresOutbox outbox;
  private Handle application;

  OutboxTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  void begin() {
    world = TestingLedger.empty(settings, 4);
    outbox = new PostgresOutbox(world.pool());
    application = Jdbi.create(settings.directUrl(), settings.user(), settings.password()).open();
    world.destination("dst_a");
    world.destination("dst_b");
  }

  @AfterEach
  void end() {
    application.close();
  }

  private long enqueue(String arguments) {
    return application
        .createQuery("select penstock.enqueue(" + arguments + ")")
        .mapTo(Long.class)
        .one();
  }

  private long enqueueTo(String destination) {
    return enqueue(
        "'acme', 'order.paid', '{\"z\": 1}', destinations => '{%s}'".formatted(destination));
  }

  /** Takes a row as it stands. */
  private OutboxReader.Reading read(OutboxRow row) {
    return new OutboxReader.Event(
        new NewEvent(
            world.ids().next(),
            row.tenantId(),
            row.type(),
            row.contentType(),
            List.of(),
            row.payload(),
            Urgency.INTERACTIVE,
            row.idempotencyKey(),
            row.destinationIds()));
  }

  private List<Long> due() {
    return outbox.due(1_000).stream().map(Outbox.Due::number).toList();
  }

  private Expansion expand() {
    return outbox.expand(due(), this::read, Room.ENDLESS);
  }

  private long count(String table) {
    return world
        .pool()
        .read(
            Use.CALLER,
            handle ->
                handle
                    .createQuery("select count(*) from penstock." + table)
                    .mapTo(Long.class)
                    .one());
  }

  @Test
  void what_an_application_commits_becomes_an_event_and_leaves_the_outbox() {
    application.begin();
    long number =
        enqueue(
            """
            tenant => 'acme', type => 'order.paid', payload => '{"z": 1,  "a": 1.50}',
            headers => '{"X-Kept": "Yes"}', urgency => 'batch', operation => 'order/17',
            source_version => '3', destinations => array['dst_a', 'dst_b']
            """);
    assertThat(due()).as("not committed yet").isEmpty();
    application.commit();
    assertThat(outbox.due(10)).containsExactly(new Outbox.Due(number, 20 + 17 + 10));
    List<OutboxRow> rows = new ArrayList<>();
    Expansion done =
        outbox.expand(
            List.of(number),
            row -> {
              rows.add(row);
              return read(row);
            },
            Room.ENDLESS);
    OutboxRow row = rows.getFirst();
    assertThat(new String(row.payload(), UTF_8)).isEqualTo("{\"z\": 1,  \"a\": 1.50}");
    assertThat(row.text()).isTrue();
    assertThat(row.headers()).isEqualTo("{\"X-Kept\": \"Yes\"}");
    assertThat(List.of(row.urgency(), row.contentType(), row.tenantId(), row.type()))
        .containsExactly("batch", "application/json", "acme", "order.paid");
    assertThat(List.of(String.valueOf(row.operation()), String.valueOf(row.sourceVersion())))
        .containsExactly("order/17", "3");
    assertThat(done.answers())
        .singleElement()
        .isInstanceOfSatisfying(
            Acceptance.Stored.class, stored -> assertThat(stored.deliveries()).hasSize(2));
    assertThat(count("outbox")).isZero();
    assertThat(count("delivery")).isEqualTo(2);
  }

  @Test
  void a_row_weighs_what_it_takes_to_read_it() {
    enqueue(
        "'acme', 't', '1', headers => json_build_object('a', repeat('x', 100000)),"
            + " destinations => array_fill(repeat('d', 500), array[100])");
    assertThat(outbox.due(1).getFirst().bytes()).isBetween(150_000, 150_100);
  }

  @Test
  void what_an_application_rolls_back_never_was() {
    application.begin();
    enqueueTo("dst_a");
    application.rollback();
    assertThat(due()).isEmpty();
    assertThat(outbox.depth()).isEqualTo(Outbox.Depth.NONE);
  }

  @Test
  void a_failure_between_the_events_and_the_deletion_changes_nothing() {
    enqueueTo("dst_a");
    enqueueTo("dst_b");
    Room broken =
        (tenant, destination) -> {
          if (destination.equals("dst_b")) {
            throw new IllegalStateException("poison");
          }
          return new Room.Free();
        };
    assertThatThrownBy(() -> outbox.expand(due(), this::read, broken))
        .isInstanceOf(IllegalStateException.class);
    assertThat(due()).hasSize(2);
    assertThat(count("event")).isZero();
    assertThat(expand().answers()).hasSize(2);
    assertThat(count("event")).isEqualTo(2);
    assertThat(count("outbox")).isZero();
  }

  @Test
  void what_can_become_no_event_is_put_aside_with_its_reason_and_stops_nobody() {
    enqueue("'nobody', 't', '1'");
    enqueueTo("dst_x");
    enqueue("'acme', 't', '1', idempotency_key => 'k', destinations => '{dst_a}'");
    enqueue("'acme', 't', '2', idempotency_key => 'k', destinations => '{dst_a}'");
    enqueue("'acme', 't', '1', idempotency_key => 'k', destinations => '{dst_a}'");
    enqueue("'acme', 'bad type', '1'");
    Expansion done =
        outbox.expand(
            due(),
            row ->
                row.type().contains(" ")
                    ? new OutboxReader.Unfit(
                        new OutboxRefusal(OutboxRefusal.Reason.INVALID, "type: wanted words"))
                    : read(row),
            Room.ENDLESS);
    assertThat(done.refused().stream().map(OutboxRefusal::reason))
        .containsExactlyInAnyOrder(
            OutboxRefusal.Reason.UNKNOWN_TENANT,
            OutboxRefusal.Reason.UNKNOWN_DESTINATION,
            OutboxRefusal.Reason.IDEMPOTENCY_KEY_REUSED,
            OutboxRefusal.Reason.INVALID);
    assertThat(due()).isEmpty();
    assertThat(count("event")).isOne();
    List<RefusedRow> refused = new RefusedRows(world.pool()).page(Set.of(), null, 10);
    assertThat(refused.stream().map(RefusedRow::reason))
        .containsExactly(
            "invalid", "idempotency_key_reused", "unknown_destination", "unknown_tenant");
    assertThat(refused.getLast().detail()).isEqualTo("there is no tenant nobody");
    assertThat(new RefusedRows(world.pool()).page(Set.of("acme"), null, 1)).hasSize(2);
    assertThat(outbox.depth().refused()).isEqualTo(4);
  }

  @Test
  void a_refused_row_is_sent_in_again_once_what_was_wrong_is_right() {
    long number = enqueueTo("dst_late");
    assertThat(expand().refused()).hasSize(1);
    world.destination("dst_late");
    RefusedRows rows = new RefusedRows(world.pool());
    assertThat(rows.again(number, Set.of("other"), TestingLedger.BY)).isFalse();
    assertThat(rows.again(number, Set.of("acme"), TestingLedger.BY)).isTrue();
    assertThat(rows.again(number, Set.of(), TestingLedger.BY)).as("once").isFalse();
    assertThat(due()).containsExactly(number);
    assertThat(expand().answers()).hasSize(1);
    assertThat(count("delivery")).isOne();
    assertThat(count("audit where action = 'outbox.retry' and tenant_id = 'acme'")).isOne();
  }

  @Test
  void a_row_without_room_waits_longer_each_time_and_those_behind_it_go() {
    enqueueTo("dst_a");
    long free = enqueueTo("dst_b");
    Room room =
        (_, destination) ->
            destination.equals("dst_a") ? new Room.DestinationFull(FULL) : new Room.Free();
    Expansion done = outbox.expand(due(), this::read, room);
    assertThat(done.deferred()).isOne();
    assertThat(count("delivery")).isOne();
    assertThat(due()).doesNotContain(free).isEmpty();
    world.clock().advance(Duration.ofSeconds(20));
    assertThat(outbox.expand(due(), this::read, room).deferred()).isOne();
    world.clock().advance(Duration.ofSeconds(39));
    assertThat(due()).isEmpty();
    world.clock().advance(Duration.ofSeconds(1));
    long fresh = enqueueTo("dst_b");
    assertThat(due()).as("what is new does not wait behind it").hasSize(2).first().isEqualTo(fresh);
    assertThat(expand().answers()).hasSize(2);
    assertThat(count("delivery")).isEqualTo(3);
  }

  @Test
  void a_row_that_another_node_is_at_is_skipped() {
    long first = enqueueTo("dst_a");
    enqueueTo("dst_b");
    application.begin();
    application.execute("select from penstock.outbox where outbox_no = ? for update", first);
    assertThat(expand().answers()).hasSize(1);
    assertThat(outbox.refuse(first, new OutboxRefusal(OutboxRefusal.Reason.FAULT, "x"))).isFalse();
    assertThat(outbox.defer(first, Duration.ofSeconds(1))).isFalse();
    application.rollback();
    assertThat(due()).containsExactly(first);
    assertThat(outbox.defer(first, Duration.ofSeconds(1))).isTrue();
    assertThat(due()).isEmpty();
    world.clock().advance(Duration.ofSeconds(1));
    assertThat(outbox.refuse(first, new OutboxRefusal(OutboxRefusal.Reason.FAULT, "x"))).isTrue();
    assertThat(outbox.expand(List.of(first), this::read, Room.ENDLESS))
        .isEqualTo(Expansion.NOTHING);
  }

  @Test
  @DisplayName("case 31: several nodes expand each row once")
  void several_nodes_expand_each_row_once() throws Exception {
    int rows = 400;
    application.execute(
        "select penstock.enqueue('acme', 't', i::text, destinations => '{dst_a}')"
            + " from generate_series(1, ?) i",
        rows);
    try (ExecutorService nodes = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> done = new ArrayList<>();
      for (int node = 0; node < 3; node++) {
        done.add(
            nodes.submit(() -> {
              PostgresOutbox own = new PostgresOutbox(world.pool());
              int expanded = 0;
              for (List<Outbox.Due> due = own.due(50); !due.isEmpty(); due = own.due(50)) {
                expanded +=
                    own.expand(
                            due.stream().map(Outbox.Due::number).toList(), this::read, Room.ENDLESS)
                        .answers()
                        .size();
              }
              return expanded;
            }));
      }
      int sum = 0;
      for (Future<Integer> one : done) {
        sum += one.get();
      }
      assertThat(sum).isEqualTo(rows);
    }
    assertThat(count("delivery")).isEqualTo(rows);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'acme', 't'|either payload",
        "'acme', 't', '1', '\\x00'|either payload",
        "null, 't', '1'|wanted tenant and type",
        "'acme', null, '1'|wanted tenant and type",
        "'acme', 't', repeat('x', 16777217)|payload_of_at_most_16_mib",
        "'acme', repeat('t', 1001), '1'|texts_of_at_most_1000_bytes",
        "'acme', 't', '1', headers => json_build_object('a', repeat('x', 131073))|headers_of_at",
        "'acme', 't', '1', headers => 'no json'|invalid input syntax",
        "'acme', 't', '1', destinations => array_fill('d'::text, array[101])|at_most_100",
        "'acme', 't', E'a\\x00b'|encoding",
      },
      quoteCharacter = '`')
  void what_no_setting_allows_fails_in_the_applications_own_transaction(String call, String told) {
    assertThatThrownBy(() -> enqueue(call)).hasMessageContaining(told);
    assertThat(count("outbox")).isZero();
  }

  @Test
  void bytes_of_any_kind_come_through_as_they_are() {
    enqueue(
        "'acme', 't', payload_bytes => '\\x00ff00', content_type => null, headers => null,"
            + " urgency => null, destinations => array['dst_a', null]");
    assertThat(expand().answers()).hasSize(1);
    byte[] body =
        world
            .pool()
            .read(
                Use.CALLER,
                handle ->
                    handle
                        .createQuery("select body from penstock.event")
                        .mapTo(byte[].class)
                        .one());
    assertThat(body).containsExactly(0, 0xff, 0);
  }

  @Test
  void a_row_that_was_inserted_past_the_function_stops_nobody() {
    application.execute(
        """
        insert into penstock.outbox (enqueued_at, tenant_id, type, payload, payload_is_text,
          content_type, headers, urgency, destination_ids)
        values
          (now(), 'acme', 't', '1', true, 'a/b', '{}', 'batch', '{{dst_a,null},{null,dst_b}}'),
          (now(), 'nobody', 't', '1', true, 'a/b', '{}', 'batch', '[3:3]={null}')
        """);
    enqueueTo("dst_a");
    Expansion done = expand();
    assertThat(done.answers()).hasSize(3);
    assertThat(done.refused()).hasSize(1);
    assertThat(count("delivery")).isEqualTo(3);
    assertThat(new RefusedRows(world.pool()).page(Set.of(), null, 10)).hasSize(1);
  }

  @Test
  void refused_rows_are_kept_for_thirty_days() {
    enqueue("'nobody', 't', '1'");
    expand();
    world.clock().advance(PostgresOutbox.REFUSED_KEPT.minusSeconds(1));
    assertThat(outbox.forgetOld()).isZero();
    world.clock().advance(Duration.ofSeconds(1));
    assertThat(outbox.forgetOld()).isOne();
    assertThat(count("outbox_refused")).isZero();
  }

  @Test
  @DisplayName("case 40: a look into a full outbox reads a range of an index")
  void the_plans_do_not_depend_on_how_full_the_outbox_is() {
    application.execute(
        """
        insert into penstock.outbox (enqueued_at, not_before, tenant_id, type, payload,
          payload_is_text, content_type, headers, urgency, destination_ids)
        select now(), case when i % 2 = 0 then '-infinity'::timestamptz else 'infinity' end, 'acme',
          't', '{}', true, 'application/json', '{}', 'batch', '{}'
        from generate_series(1, 200000) i
        """);
    application.execute("analyze penstock.outbox");
    Map<String, Parameter> parameters =
        Map.of(
            "now", new Parameter("timestamptz", "now()"),
            "most", new Parameter("int", "500"),
            "numbers", new Parameter("bigint[]", "array[1000, 2000]::bigint[]"),
            "reasons", new Parameter("text[]", "array['fault', 'fault']"),
            "details", new Parameter("text[]", "array['', '']"),
            "waits", new Parameter("bigint[]", "array[1, 1]::bigint[]"));
    world
        .pool()
        .transaction(
            Use.CALLER,
            handle -> {
              HotPath.enter(handle);
              List<String> due = Explain.generic(handle, PostgresOutbox.DUE, parameters);
              assertThat(due)
                  .anyMatch(line -> line.contains("Index Scan using outbox_due"))
                  .noneMatch(line -> line.contains("Sort"));
              assertThat(Explain.buffers(handle, PostgresOutbox.DUE, parameters)).isLessThan(100);
              String take = PostgresOutbox.TAKE.substring(PostgresOutbox.TAKE.indexOf(';') + 1);
              for (String sql :
                  List.of(
                      take, PostgresOutbox.DELETE, PostgresOutbox.REFUSE, PostgresOutbox.DEFER)) {
                assertThat(Explain.generic(handle, sql, parameters))
                    .anyMatch(line -> line.contains("outbox_pkey"))
                    .noneMatch(line -> line.contains("Seq Scan on outbox"));
              }
              return true;
            });
  }
}
