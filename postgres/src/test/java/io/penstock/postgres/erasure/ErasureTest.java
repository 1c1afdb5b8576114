package io.penstock.postgres.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.history.HistoryPoint;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.outbox.OutboxRefusal;
import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Schedules;
import io.penstock.engine.recurring.Template;
import io.penstock.engine.rollup.Rollup;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.history.HistoryStore;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.outbox.PostgresOutbox;
import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.read.AuditView;
import io.penstock.postgres.read.GroupReads;
import io.penstock.postgres.recurring.PostgresSchedules;
import io.penstock.postgres.rollup.RollupStore;
import io.penstock.postgres.shelf.ShelfCounter;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant's data goes, all of it, and nobody else's. */
@PostgresTest
class ErasureTest {
  private static final Duration ENOUGH = Duration.ofMinutes(1);

  private final DatabaseSettings settings;
  private TestingLedger world;

  ErasureTest(TestDatabase database) {
    settings = database.settings();
    world = TestingLedger.empty(settings, 1);
  }

  private long count(String from) {
    return world
        .pool()
        .read(
            Use.CALLER,
            handle ->
                handle
                    .createQuery("select count(*) from penstock." + from)
                    .mapTo(Long.class)
                    .one());
  }

  private DeliveryKey ended(Destination destination, Move move) {
    DeliveryKey key = world.deliver(destination);
    world.settle(world.claim(destination, 1).getFirst(), move);
    return key;
  }

  /** Something of everything. */
  private Destination fill(String id) {
    Destination destination = world.destination(id);
    ended(destination, new Move.Deliver(1));
    ended(destination, new Move.Die(1, Reason.REJECTED));
    DeliveryKey released = ended(destination, new Move.Die(1, Reason.REJECTED));
    world.ledger().redrive(released, TestingLedger.BY);
    world.deliver(destination);
    return destination;
  }

  private void other() {
    world.ledger().createTenant("other", "Other", TestingLedger.BY);
    world
        .ledger()
        .createDestination(
            new Destination(
                "dst_other",
                0,
                "other",
                Destination.Mode.PUSH,
                "http://127.0.0.1:9/",
                List.of(),
                List.of(),
                "dst_other",
                1),
            (budgetId, state, now) -> BudgetState.initial(BudgetSettings.DEFAULT, 1, now),
            TestingLedger.BY);
    NewEvent of = world.event("dst_other");
    world
        .ledger()
        .accept(
            List.of(
                new NewEvent(
                    of.eventId(),
                    "other",
                    of.type(),
                    of.contentType(),
                    of.headers(),
                    of.body(),
                    of.urgency(),
                    "key",
                    of.destinationIds())));
  }

  /** What is remembered of a tube's items, and a lease that nothing ended by its row. */
  private void remember(String... destinations) {
    for (String id : destinations) {
      world
          .pool()
          .transaction(
              Use.CALLER,
              handle ->
                  handle.execute(
                      """
                      insert into penstock.complete_run (shard, destination_id, item,
                        artifacts_hash, artifacts, event_id, lease_no, completed_at)
                      values (?, ?, 'page/1', sha256(''), '', gen_random_uuid(), 1,
                        timestamptz 'epoch');
                      insert into penstock.tube_lease (shard, destination_id, event_id, lease_no,
                        worker, held_from, charged_us, lent, generation, probe, item)
                      values (?, ?, gen_random_uuid(), 1, 'w', timestamptz 'epoch', 0, false, 0,
                        false, 'page/1')
                      """,
                      Shard.of(id, world.pool().shards()),
                      id,
                      Shard.of(id, world.pool().shards()),
                      id));
    }
  }

  /** A schedule that is paused after it has come once, and was refused. */
  private void schedule(String id, String tenant) {
    PostgresSchedules schedules = new PostgresSchedules(world.pool());
    Template template =
        new Template(
            "a.b", "text/plain", List.of(), new byte[0], Urgency.BATCH, List.of("nowhere"));
    Recurrence every = new Recurrence.Every(Duration.ofSeconds(1), world.clock().instant());
    schedules.create(
        now -> Schedule.made(id, tenant, every, CatchUp.DEFAULT, template, "key:a", "", now),
        TestingLedger.BY);
    world.clock().advance(Duration.ofSeconds(1));
    for (int shard = 0; shard < world.ledger().shards(); shard++) {
      schedules.fire(shard, world.ids()::next, Room.ENDLESS);
    }
    schedules.command(id, Schedules.Command.PAUSE, TestingLedger.BY);
  }

  /** One row that was refused, and one that waits. */
  private void enqueue(String tenant) {
    String sql = "select penstock.enqueue('%s', 't', '1')".formatted(tenant);
    long first =
        world.pool().read(Use.CALLER, handle -> handle.createQuery(sql).mapTo(Long.class).one());
    OutboxRefusal why = new OutboxRefusal(OutboxRefusal.Reason.INVALID, "as a test wants it");
    assertThat(new PostgresOutbox(world.pool()).refuse(first, why)).isTrue();
    world.pool().read(Use.CALLER, handle -> handle.createQuery(sql).mapTo(Long.class).one());
  }

  private ErasureTask task() {
    return new ErasureTask(settings, world.pool(), world.ledger(), world.clock()::nanos);
  }

  private void runToTheEnd() {
    ErasureTask task = task();
    while (task.runOnce(ENOUGH) > 0) {
      // again, until a whole pass finds nothing
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void all_data_of_a_tenant_goes_and_a_tombstone_stays(int shards) {
    world = TestingLedger.empty(settings, shards);
    fill("dst_a");
    fill("dst_b");
    other();
    remember("dst_a", "dst_b", "dst_other");
    schedule("sch_a", "acme");
    schedule("sch_o", "other");
    Instant minute = world.clock().instant().truncatedTo(ChronoUnit.MINUTES);
    new RollupStore(world.pool())
        .add(
            Stream.of("dst_a", "dst_b", "dst_other")
                .map(id -> new Rollup(id, minute, 3, 0, Map.of(), null, null, null))
                .toList());
    new HistoryStore(world.pool())
        .add(
            Stream.of("dst_a", "dst_b", "dst_other")
                .map(id -> new HistoryPoint(id, minute, 20, 50, null, 0, null, 1))
                .toList());
    enqueue("acme");
    enqueue("other");
    ShelfCounter counter = new ShelfCounter(world.pool(), world.clock()::nanos);
    counter.runOnce(ENOUGH);
    counter.runOnce(ENOUGH);
    Erasures erasures = new Erasures(world.pool());

    ErasurePlan plan = erasures.plan("acme").orElseThrow();
    assertThat(plan.destinations()).isEqualTo(2);
    assertThat(plan.waiting()).isEqualTo(4);
    assertThat(plan.finished()).isEqualTo(4);
    assertThat(plan.deadLetters()).isEqualTo(4);
    assertThat(plan.capped()).isFalse();
    assertThat(erasures.start("acme", "000000000000", TestingLedger.BY))
        .isInstanceOf(Erasures.Start.NotConfirmed.class);
    assertThat(erasures.start("acme", plan.confirmation(), TestingLedger.BY))
        .isInstanceOf(Erasures.Start.Begun.class);
    assertThat(erasures.start("acme", plan.confirmation(), TestingLedger.BY))
        .isInstanceOf(Erasures.Start.NoTenant.class);
    assertThat(world.ledger().accept(List.of(world.event("dst_a"))).getFirst())
        .as("it takes nothing any more")
        .isInstanceOf(Acceptance.UnknownTenant.class);
    runToTheEnd();

    assertThat(erasures.list())
        .singleElement()
        .satisfies(done -> {
          assertThat(done.doneAt()).isNotNull();
          assertThat(done.deadLetters()).isEqualTo(4);
          assertThat(done.deliveries()).isEqualTo(8);
          assertThat(done.events()).isPositive();
        });
    assertThat(count("dead_letter")).isZero();
    assertThat(count("shelf_departure")).isZero();
    assertThat(count("attempt")).isZero();
    assertThat(count("delivery_done")).isZero();
    assertThat(count("delivery")).as("the other's waits").isEqualTo(1);
    assertThat(count("event")).isEqualTo(1);
    assertThat(count("schedule")).as("the other's").isEqualTo(1);
    assertThat(count("schedule_firing")).as("the other's").isEqualTo(1);
    assertThat(count("event_kept")).isZero();
    assertThat(count("complete_run")).as("the other's").isEqualTo(1);
    assertThat(count("tube_lease")).as("the other's").isEqualTo(1);
    assertThat(count("rollup")).isEqualTo(1);
    assertThat(count("rollup where destination_id = 'dst_other'")).isEqualTo(1);
    assertThat(count("history")).isEqualTo(1);
    assertThat(count("history where destination_id = 'dst_other'")).isEqualTo(1);
    assertThat(count("outbox where tenant_id = 'acme'")).isZero();
    assertThat(count("outbox_refused where tenant_id = 'acme'")).isZero();
    assertThat(count("outbox_refused")).isEqualTo(1);
    assertThat(count("idempotency")).isEqualTo(1);
    counter.runOnce(ENOUGH);
    assertThat(new GroupReads(world.pool()).page(GroupReads.Filter.ALL, true, null, 9).items())
        .isEmpty();
    List<AuditView> audit =
        new AuditReads(world.pool()).page(AuditReads.Filter.ALL, null, 250).items();
    assertThat(audit).noneMatch(line -> "acme".equals(line.tenantId()));
    assertThat(audit.getFirst().action()).isEqualTo("tenant.erased");
    assertThat(audit.getFirst().detail()).contains("4 dead letters, 8 deliveries");
    assertThat(audit).extracting(AuditView::action).contains("tenant.erase", "tenant.create");
    assertThat(count("destination where tenant_id = 'acme' and url <> ''")).isZero();
    assertThat(world.ledger().createTenant("acme", "again", TestingLedger.BY))
        .as("its id stays taken")
        .isFalse();
  }

  @Test
  void what_is_being_sent_is_waited_for() {
    Destination destination = world.destination("dst_a");
    world.deliver(destination);
    Leased lease = world.claim(destination, 1).getFirst();
    Erasures erasures = new Erasures(world.pool());
    erasures.start("acme", erasures.plan("acme").orElseThrow().confirmation(), TestingLedger.BY);
    runToTheEnd();
    assertThat(erasures.list().getFirst().doneAt()).isNull();
    world.settle(lease, new Move.Deliver(1));
    runToTheEnd();
    assertThat(erasures.list().getFirst().doneAt()).isNotNull();
    assertThat(count("delivery_done")).isZero();
  }

  @Test
  void a_confirmation_grows_old() {
    Erasures erasures = new Erasures(world.pool());
    String said = erasures.plan("acme").orElseThrow().confirmation();
    world.clock().advance(Duration.ofMinutes(21));
    assertThat(erasures.start("acme", said, TestingLedger.BY))
        .isInstanceOf(Erasures.Start.NotConfirmed.class);
    assertThat(erasures.plan("nobody")).isEmpty();
  }
}
