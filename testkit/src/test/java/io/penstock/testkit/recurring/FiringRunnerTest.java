package io.penstock.testkit.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.testing.TestClock;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.intake.EventIds;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.FiringListener;
import io.penstock.engine.recurring.FiringPlan;
import io.penstock.engine.recurring.FiringRunner;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Schedules.Command;
import io.penstock.engine.recurring.Template;
import io.penstock.testkit.memory.Interleave;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.memory.Interleave.Point;
import io.penstock.testkit.memory.Interleave.Step;
import io.penstock.testkit.memory.MemoryLedger;
import io.penstock.testkit.memory.ThreadInterleave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop of schedules on the ledger in memory, with a clock that jumps and crashes anywhere. */
class FiringRunnerTest {
  private static final Audit BY = new Audit("key:test", "because");

  private final TestClock clock = new TestClock();
  private final TestClock monotonic = new TestClock();
  private final LedgerTime time = new LedgerTime(monotonic::nanos);
  private final Crashing crashing = new Crashing();
  private final MemoryLedger ledger = new MemoryLedger(1, clock, crashing, commit -> {}, Set.of());
  private final List<String> woken = new ArrayList<>();
  private final List<Instant> came = new ArrayList<>();
  private String tooMuch = "";
  private int troubles;
  private final FiringRunner runner =
      new FiringRunner(
          ledger.schedules(),
          time,
          new EventIds(clock, new Random(1))::next,
          (_, destination) -> {
            if (destination.equals(tooMuch)) {
              throw new LedgerException("cancelled by a time-out");
            }
            return new Room.Free();
          },
          woken::addAll,
          new FiringListener() {
            @Override
            public void looked(FiringPlan.Done done) {
              done.firings().forEach(firing -> came.add(firing.at()));
            }
          },
          new NodeListener() {
            @Override
            public void ledgerFailed(String loop, RuntimeException failure) {
              troubles++;
            }
          });

  /** The plain interleaving, and a step at which it fails. */
  private static final class Crashing implements Interleave {
    private final ThreadInterleave plain = new ThreadInterleave(() -> false);
    @Nullable Step at;

    @Override
    public void at(Point point) {
      if (point.operation() == Operation.SCHEDULE_FIRE && point.step() == at) {
        throw new LedgerException("crashed at " + point.step());
      }
    }

    @Override
    public boolean await(BooleanSupplier ready, Duration most) {
      return plain.await(ready, most);
    }

    @Override
    public void released() {
      plain.released();
    }

    @Override
    public boolean picksFromOldSnapshot() {
      return false;
    }
  }

  @BeforeEach
  void fill() {
    ledger.createTenant("acme", "Acme", BY);
    minutely("sch_a", "dst_a");
    time.observe(clock.instant());
  }

  /** A schedule that comes at every full minute, and its destination. */
  private void minutely(String id, String destination) {
    ledger.createDestination(
        new Destination(
            destination,
            0,
            "acme",
            Destination.Mode.PUSH,
            "http://127.0.0.1:9/",
            List.of(),
            List.of(),
            destination,
            1),
        (budgetId, state, now) -> BudgetState.initial(BudgetSettings.DEFAULT, 1, now),
        BY);
    Template template =
        new Template(
            "a.b", "text/plain", List.of(), new byte[0], Urgency.BATCH, List.of(destination));
    Recurrence minutely = new Recurrence.Every(Duration.ofMinutes(1), Instant.EPOCH);
    ledger
        .schedules()
        .create(
            now ->
                Schedule.made(id, "acme", minutely, CatchUp.DEFAULT, template, "key:test", "", now),
            BY);
  }

  private void passes(Duration by) {
    clock.advance(by);
    monotonic.advance(by);
  }

  /** Looks until there is nothing to do at once. */
  private Duration look() {
    Duration nap = runner.runOnce();
    for (int i = 0; nap.isZero(); i++) {
      assertThat(i).isLessThan(10);
      nap = runner.runOnce();
    }
    return nap;
  }

  @Test
  void it_sleeps_until_the_next_instant_and_wakes_who_got_something() {
    assertThat(look()).isEqualTo(Duration.ofSeconds(1));
    passes(Duration.ofMillis(59_400));
    assertThat(look()).isEqualTo(Duration.ofMillis(600));
    assertThat(came).isEmpty();
    passes(Duration.ofMillis(600));
    look();
    assertThat(came).containsExactly(clock.instant());
    assertThat(woken).containsExactly("dst_a");
    ledger.schedules().command("sch_a", Command.PAUSE, BY);
    passes(Duration.ofMinutes(5));
    assertThat(look()).isEqualTo(Duration.ofSeconds(1));
    assertThat(came).hasSize(1);
  }

  @Test
  void a_clock_that_is_a_day_ahead_for_a_minute_uses_up_no_instants() {
    clock.advance(Duration.ofDays(1));
    assertThat(look()).isEqualTo(Duration.ofSeconds(1));
    passes(Duration.ofMinutes(1));
    look();
    assertThat(came).isEmpty();
    clock.advance(Duration.ofDays(-1));
    look();
    passes(Duration.ofMinutes(6));
    look();
    assertThat(came).containsExactly(clock.instant());
  }

  @Test
  void a_clock_that_stays_ahead_is_believed_after_a_while() {
    clock.advance(Duration.ofDays(1));
    look();
    passes(Duration.ofMinutes(6));
    look();
    assertThat(came).containsExactly(clock.instant());
  }

  @Test
  void a_crash_at_any_step_loses_nothing_and_sends_nothing_twice() {
    for (Step step : Step.values()) {
      came.clear();
      crashing.at = step;
      passes(Duration.ofMinutes(1));
      int before = troubles;
      runner.runOnce();
      crashing.at = null;
      look();
      boolean committed = step == Step.COMMITTED;
      boolean reached = step != Step.GATES;
      assertThat(troubles - before).as("%s", step).isEqualTo(reached ? 1 : 0);
      assertThat(came).as("%s", step).hasSize(committed ? 0 : 1);
      assertThat(ledger.schedules().firings("sch_a", null, 1))
          .extracting(Firing::at)
          .containsExactly(clock.instant());
    }
    assertThat(ledger.inspect().hot()).hasSize(Step.values().length);
  }

  private long fired(String id) {
    return ledger.schedules().find(id).orElseThrow().counts().fired();
  }

  @Test
  void a_schedule_that_the_ledger_cannot_take_is_passed_by_and_stops_nobody() {
    minutely("sch_big", "dst_big");
    tooMuch = "dst_big";
    for (int minute = 1; minute <= 10; minute++) {
      passes(Duration.ofMinutes(1));
      for (int i = 0; i < 8; i++) {
        runner.runOnce();
      }
      assertThat(fired("sch_a")).isEqualTo(minute);
    }
    assertThat(fired("sch_big")).isZero();
    assertThat(troubles).as("fewer and fewer tries").isBetween(4, 12);
    tooMuch = "";
    passes(Duration.ofMinutes(8));
    look();
    assertThat(fired("sch_big")).as("it owes what any outage leaves").isOne();
    assertThat(fired("sch_a")).isEqualTo(11);
  }
}
