package io.penstock.postgres.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.history.HistoryPoint;
import io.penstock.engine.history.Mark;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.ledger.TestingLedger;
import io.penstock.postgres.retention.Retention;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A history can be read as long as somebody may ask, and costs less and less. */
@PostgresTest
class HistoryStoreTest {
  private static final BudgetRule AS_IT_WAS =
      (id, state, now) -> java.util.Objects.requireNonNull(state);

  private final DatabaseSettings settings;
  private TestingLedger world;
  private HistoryStore store;
  private HistoryReads reads;
  private Destination destination;
  private Instant hour;

  HistoryStoreTest(TestDatabase database) {
    settings = database.settings();
  }

  @BeforeEach
  void begin() {
    world = TestingLedger.empty(settings, 4);
    store = new HistoryStore(world.pool());
    reads = new HistoryReads(world.pool());
    destination = world.destination("dst_a");
    hour = world.clock().instant().truncatedTo(ChronoUnit.HOURS);
  }

  private HistoryPoint rate(int second, double rate) {
    return new HistoryPoint("dst_a", hour.plusSeconds(second), rate, 50, null, 2, null, 1);
  }

  private HistoryPoint mark(int second, Mark.Kind kind) {
    Mark mark = new Mark(kind, "429", 50, 25, 20);
    return new HistoryPoint("dst_a", hour.plusSeconds(second), 25, 50, 44.0, 0, mark, 1);
  }

  private HistoryReads.Stretch all() {
    return reads.between(destination, hour, hour.plusSeconds(3_600), 5_000);
  }

  private void sweep() {
    new Retention(settings, world.pool(), LimitsDocument.DEFAULT, world.clock()::nanos)
        .runOnce(Duration.ofMinutes(1));
  }

  @Test
  void what_two_nodes_saw_in_one_second_is_one_point() {
    store.add(List.of(rate(1, 50), mark(1, Mark.Kind.CUT)));
    store.add(List.of(rate(1, 25)));
    assertThat(all().points())
        .containsExactly(
            new HistoryRow(hour.plusSeconds(1), "cut", 1, 25, 50, 44.0, 0, 1, 50.0, 20, "429"),
            new HistoryRow(hour.plusSeconds(1), "rate", 1, 25, 50, null, 4, 2, null, 0, ""));
  }

  @Test
  void points_are_thinned_with_age_and_nothing_that_turned_is_lost() {
    List<HistoryPoint> points = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      points.add(rate(i, i % 2 == 0 ? 40 : 20));
    }
    points.add(mark(0, Mark.Kind.CUT));
    points.add(mark(7, Mark.Kind.CUT));
    points.add(mark(601, Mark.Kind.PARKED));
    points.add(mark(603, Mark.Kind.UNPARKED));
    store.add(points);

    world.clock().advance(Duration.ofHours(3));
    sweep();
    assertThat(rates()).hasSize(120).allMatch(row -> row.rate() == 30 && row.throttled() == 20);
    world.clock().advance(Duration.ofHours(24));
    sweep();
    assertThat(rates()).hasSize(20).allMatch(row -> row.spanSeconds() == 60);
    world.clock().advance(Duration.ofDays(7));
    sweep();
    assertThat(rates()).hasSize(2).allMatch(row -> row.throttled() == 1_200 && row.times() == 600);
    assertThat(all().points().stream().filter(row -> !row.isRate()))
        .extracting(row -> row.kind() + " " + row.times() + " " + row.at().getEpochSecond() % 3_600)
        .containsExactly("cut 2 0", "parked 1 601", "unparked 1 603");
    world.clock().advance(Duration.ofDays(30));
    sweep();
    assertThat(all().points()).isEmpty();
  }

  private List<HistoryRow> rates() {
    return all().points().stream().filter(HistoryRow::isRate).toList();
  }

  @Test
  void a_long_stretch_comes_in_pieces_that_tear_no_second_apart() {
    List<HistoryPoint> points = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      points.add(rate(i, 50 - i));
      points.add(mark(i, Mark.Kind.CUT));
    }
    store.add(points);
    Instant from = hour;
    int found = 0;
    while (from != null) {
      HistoryReads.Stretch piece = reads.between(destination, from, hour.plusSeconds(3_600), 11);
      assertThat(piece.points()).hasSizeBetween(1, 11);
      assertThat(piece.before() == null).isEqualTo(from.equals(hour));
      found += piece.points().size();
      from = piece.nextFrom();
    }
    assertThat(found).isEqualTo(80);
  }

  @Test
  void gates_of_the_destination_its_tenant_and_everything_belong_to_it_and_no_others() {
    world.ledger().createTenant("dst_a", "a tenant with the same id", TestingLedger.BY);
    hour = world.clock().instant();
    change(new GateScope.OfDestination("dst_a"));
    change(new GateScope.OfTenant(TestingLedger.TENANT));
    change(new GateScope.OfTenant("dst_a"));
    change(new GateScope.Everything());
    assertThat(all().gates())
        .extracting(gate -> gate.action() + " " + gate.scope() + " " + gate.reason())
        .containsExactly(
            "gate.pause destination because",
            "gate.pause tenant because",
            "gate.pause everything because");
  }

  private void change(GateScope scope) {
    world.clock().advance(Duration.ofSeconds(1));
    world.ledger().changeGate(scope, GateAction.PAUSE, TestingLedger.BY, AS_IT_WAS);
  }
}
