package io.penstock.engine.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.TestClock;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.intake.Intake;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.observe.NodeListener;
import io.penstock.testkit.memory.MemoryLedger;
import io.penstock.testkit.memory.ThreadInterleave;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutboxRunnerTest {
  /** Rows by number, with the bytes of their payloads; some of them are trouble. */
  private static final class TestingOutbox implements Outbox {
    final SortedMap<Long, Integer> rows = new TreeMap<>();
    final List<List<Long>> batches = new ArrayList<>();
    final List<Long> refused = new ArrayList<>();
    final List<Long> deferred = new ArrayList<>();
    Set<Long> poison = Set.of();
    Set<Long> tooMuch = Set.of();
    boolean down;
    boolean heldElsewhere;

    @Override
    public List<Due> due(int most) {
      check();
      return rows.entrySet().stream()
          .limit(most)
          .map(row -> new Due(row.getKey(), row.getValue()))
          .toList();
    }

    @Override
    public Expansion expand(List<Long> numbers, OutboxReader reader, Room room) {
      check();
      batches.add(numbers);
      if (heldElsewhere) {
        return Expansion.NOTHING;
      }
      if (numbers.stream().anyMatch(tooMuch::contains)) {
        throw new LedgerException("cancelled by a time-out");
      }
      if (numbers.stream().anyMatch(poison::contains)) {
        throw new IllegalStateException("poison");
      }
      List<Acceptance> answers = new ArrayList<>();
      for (Long number : numbers) {
        if (rows.remove(number) != null) {
          answers.add(new Acceptance.Stored(new UUID(0, number), List.of()));
        }
      }
      return answers.isEmpty() ? Expansion.NOTHING : new Expansion(answers, List.of(), 0);
    }

    @Override
    public boolean refuse(long number, OutboxRefusal why) {
      check();
      refused.add(number);
      return rows.remove(number) != null;
    }

    @Override
    public boolean defer(long number, Duration wait) {
      check();
      deferred.add(number);
      return rows.remove(number) != null;
    }

    @Override
    public Depth depth() {
      return Depth.NONE;
    }

    private void check() {
      if (down) {
        throw new LedgerException("no connection");
      }
    }
  }

  private final TestingOutbox outbox = new TestingOutbox();
  private final List<Expansion> heard = new ArrayList<>();
  private final List<String> trouble = new ArrayList<>();
  private final OutboxRunner runner = runner();

  private OutboxRunner runner() {
    TestClock clock = new TestClock();
    Intake intake =
        new Intake(
            new MemoryLedger(1, clock, new ThreadInterleave(() -> false), _ -> {}, Set.of()),
            new LedgerTime(clock::nanos),
            new Random(1),
            Room.ENDLESS,
            _ -> {});
    NodeListener listener =
        new NodeListener() {
          @Override
          public void ledgerFailed(String loop, RuntimeException failure) {
            trouble.add(loop);
          }
        };
    return new OutboxRunner(
        outbox,
        row -> {
          throw new AssertionError("not read here: " + row);
        },
        intake,
        heard::add,
        listener);
  }

  private void rows(int count, int bytes) {
    LongStream.rangeClosed(1, count).forEach(number -> outbox.rows.put(number, bytes));
  }

  @Test
  void itGoesOnAtOnceAsLongAsThereIsMoreAndLooksTwiceASecondOtherwise() {
    rows(OutboxRunner.MOST_ROWS + 1, 100);
    assertThat(runner.runOnce()).isZero();
    assertThat(outbox.rows).hasSize(1);
    assertThat(runner.runOnce()).isEqualTo(Duration.ofMillis(500));
    assertThat(runner.runOnce()).isEqualTo(Duration.ofMillis(500));
    assertThat(outbox.batches).hasSize(2);
    assertThat(heard.stream().mapToInt(one -> one.answers().size()).sum())
        .isEqualTo(OutboxRunner.MOST_ROWS + 1);
  }

  @Test
  void payloadsOfOneTransactionAreBoundedInBytesAndABigOneGoesAlone() {
    rows(5, 3 << 20);
    outbox.rows.put(3L, 16 << 20);
    while (!outbox.rows.isEmpty()) {
      runner.runOnce();
    }
    assertThat(outbox.batches).containsExactly(List.of(1L, 2L), List.of(3L), List.of(4L, 5L));
  }

  @Test
  void aPoisonRowIsFoundPutAsideAndStopsNobody() {
    rows(20, 100);
    outbox.poison = Set.of(7L);
    runner.runOnce();
    assertThat(outbox.rows).isEmpty();
    assertThat(outbox.refused).containsExactly(7L);
    assertThat(heard.stream().flatMap(one -> one.refused().stream()))
        .singleElement()
        .satisfies(why -> {
          assertThat(why.reason()).isEqualTo(OutboxRefusal.Reason.FAULT);
          assertThat(why.detail()).contains("IllegalStateException", "row 7");
        });
  }

  @Test
  void aRowAtWhichTheLedgerNeverAnswersIsFoundAndWaits() {
    rows(40, 100);
    outbox.tooMuch = Set.of(1L);
    for (int i = 0; i < 20 && !outbox.rows.isEmpty(); i++) {
      runner.runOnce();
    }
    assertThat(outbox.rows).isEmpty();
    assertThat(outbox.deferred).containsExactly(1L);
    assertThat(outbox.refused).isEmpty();
    assertThat(trouble).hasSizeBetween(2, 5).containsOnly("outbox");
  }

  @Test
  void aLedgerThatIsDownCostsNoRowAnything() {
    rows(3, 100);
    outbox.down = true;
    for (int i = 0; i < 10; i++) {
      assertThat(runner.runOnce()).isEqualTo(OutboxRunner.LEDGER_BACK_OFF);
    }
    outbox.down = false;
    for (int i = 0; i < 5; i++) {
      runner.runOnce();
    }
    assertThat(outbox.rows).isEmpty();
    assertThat(outbox.deferred).isEmpty();
  }

  @Test
  void rowsThatAnotherNodeIsAtAreNotAskedForWithoutARest() {
    rows(OutboxRunner.MOST_ROWS, 100);
    outbox.heldElsewhere = true;
    assertThat(runner.runOnce()).isEqualTo(OutboxRunner.REST);
    assertThat(outbox.batches).hasSize(1);
  }
}
