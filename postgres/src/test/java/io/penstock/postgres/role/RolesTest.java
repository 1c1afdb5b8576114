package io.penstock.postgres.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.ledger.PostgresLedger;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.migration.Migrator;
import io.penstock.postgres.outbox.PostgresOutbox;
import io.penstock.postgres.partition.Partitions;
import io.penstock.postgres.read.AuditReads;
import io.penstock.postgres.read.ShelfFilter;
import io.penstock.postgres.read.ShelfReads;
import io.penstock.postgres.retention.Retention;
import io.penstock.postgres.shelf.ShelfCounter;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service's role can do, and above all what it cannot. */
@PostgresTest
class RolesTest {
  private static final Duration ENOUGH = Duration.ofMinutes(1);
  private static final String PASSWORD = "for-this-test";

  private final DatabaseSettings owner;
  private final Roles roles;
  private final DatabaseSettings service;
  private final DatabaseSettings maintenance;
  private TestingLedger world;

  RolesTest(TestDatabase database) {
    owner = database.settings();
    roles = new Roles(database.name() + "_s", database.name() + "_m", database.name() + "_e");
    service = DatabaseSettings.direct(owner.url(), roles.service(), PASSWORD);
    maintenance = DatabaseSettings.direct(owner.url(), roles.maintenance(), PASSWORD);
  }

  @BeforeEach
  void begin() {
    TestingLedger made = TestingLedger.empty(owner, 1);
    try (Handle handle = open(owner)) {
      Assumptions.assumeTrue(
          handle
              .createQuery("select rolsuper from pg_roles where rolname = current_user")
              .mapTo(Boolean.class)
              .one(),
          "only a superuser makes roles");
      for (int i = 0; i < 2; i++) {
        try (var statement = handle.getConnection().createStatement()) {
          statement.execute(roles.sql()); // twice: repeating it changes nothing
        } catch (java.sql.SQLException e) {
          throw new AssertionError(e);
        }
      }
      handle.execute("alter role " + roles.service() + " password '" + PASSWORD + "'");
      handle.execute("alter role " + roles.maintenance() + " password '" + PASSWORD + "'");
    }
    Pool pool = Pool.open(service, databaseTime -> made.clock().instant());
    world = new TestingLedger(PostgresLedger.open(pool), pool, made.clock(), made.ids());
  }

  @AfterEach
  void end() {
    if (world != null) {
      world.pool().close();
    }
    try (Handle handle = open(owner)) {
      for (String role : List.of(roles.service(), roles.maintenance(), roles.enqueue())) {
        if (handle
            .createQuery("select exists (select from pg_roles where rolname = :role)")
            .bind("role", role)
            .mapTo(Boolean.class)
            .one()) {
          handle.execute("reassign owned by " + role + " to current_user");
          handle.execute("drop owned by " + role);
          handle.execute("drop role " + role);
        }
      }
    }
  }

  private static Handle open(DatabaseSettings as) {
    return Jdbi.create(as.directUrl(), as.user(), as.password()).open();
  }

  private DeliveryKey dies(Destination destination) {
    DeliveryKey key = world.deliver(destination);
    Leased lease = world.claim(destination, 1).getFirst();
    world.settle(lease, new Move.Die(1, Reason.REJECTED));
    return key;
  }

  @Test
  void the_service_does_all_its_work() {
    Destination destination = world.destination("dst_a");
    DeliveryKey dead = dies(destination);
    assertThat(world.ledger().redrive(dead, TestingLedger.BY)).isTrue();
    DeliveryKey waiting = world.deliver(destination);
    assertThat(
            world
                .ledger()
                .cancel(
                    waiting, TestingLedger.BY, (id, state, now) -> Objects.requireNonNull(state)))
        .isTrue();
    dies(destination);
    ShelfCounter counter = new ShelfCounter(world.pool(), world.clock()::nanos);
    counter.runOnce(ENOUGH);
    assertThat(counter.runOnce(ENOUGH)).isPositive();
    assertThat(new ShelfReads(world.pool()).page(ShelfFilter.ALL, null, 9).items()).hasSize(1);
    assertThat(new AuditReads(world.pool()).page(AuditReads.Filter.ALL, null, 9).items())
        .isNotEmpty();
    assertThat(new Partitions(world.pool()).ensure(List.of(LocalDate.of(2031, 5, 1)))).isPositive();
    assertThat(new Migrator(service).pending()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update penstock.audit set reason = 'other'",
        "delete from penstock.audit",
        "truncate penstock.audit",
        "set penstock.maintenance = 'audit'; delete from penstock.audit",
        "update penstock.dead_letter set reason = 'gone'",
        "delete from penstock.dead_letter",
        "alter table penstock.audit disable trigger all",
        "drop table penstock.audit",
        "update penstock.schema_history set success = false",
      })
  void the_service_changes_nothing_that_is_a_record(String statement) {
    dies(world.destination("dst_a"));
    try (Handle handle = open(service)) {
      assertThatThrownBy(() -> handle.execute(statement))
          .hasMessageMatching("(?s).*(permission denied|must be owner).*");
    }
  }

  @Test
  void the_owner_too_deletes_from_the_audit_only_when_it_says_so() {
    dies(world.destination("dst_a"));
    try (Handle handle = open(maintenance)) {
      assertThatThrownBy(() -> handle.execute("delete from penstock.audit"))
          .hasMessageContaining("insert-only");
      assertThatThrownBy(() -> handle.execute("update penstock.audit set reason = ''"))
          .hasMessageContaining("insert-only");
    }
  }

  @Test
  void retention_runs_as_the_maintenance_role_and_leaves_a_tombstone() {
    dies(world.destination("dst_a"));
    world.clock().advance(Duration.ofDays(366));
    assertThat(
            new Retention(maintenance, world.pool(), LimitsDocument.DEFAULT, world.clock()::nanos)
                .runOnce(ENOUGH))
        .containsEntry("dead_letters", 1)
        .containsEntry("audit_lines", 2)
        .containsKey("event_days_dropped");
    assertThat(new AuditReads(world.pool()).page(AuditReads.Filter.ALL, null, 9).items())
        .singleElement()
        .satisfies(line -> {
          assertThat(line.action()).isEqualTo("audit.expire");
          assertThat(line.detail()).startsWith("2 lines from before");
        });
  }

  @Test
  void applications_enqueue_and_can_do_nothing_else() {
    try (Handle handle = open(owner)) {
      handle.execute("set role " + roles.enqueue());
      assertThat(
              handle
                  .createQuery("select penstock.enqueue('acme', 't', '1')")
                  .mapTo(Long.class)
                  .one())
          .isOne();
      for (String statement :
          List.of(
              "select count(*) from penstock.outbox",
              "insert into penstock.outbox (tenant_id) values ('acme')",
              "select count(*) from penstock.tenant",
              "select penstock.add_day('2031-01-01')",
              "create table penstock.own (x int)")) {
        assertThatThrownBy(() -> handle.execute(statement))
            .as(statement)
            .hasMessageContaining("permission denied");
      }
      handle.execute("reset role");
    }
    assertThat(new PostgresOutbox(world.pool()).due(9)).hasSize(1);
  }

  @Test
  void names_that_would_need_quoting_are_refused() {
    assertThatThrownBy(() -> new Roles("a; drop", "b", "c"))
        .hasMessageContaining("service: got a; drop");
    assertThatThrownBy(() -> new Roles("a", "b", "a")).hasMessageContaining("two are one");
  }
}
