package io.penstock.engine.schedule;

import static io.penstock.engine.testing.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.schedule.DueHeap.Barrier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DueHeapTest {
  private final AtomicInteger wakes = new AtomicInteger();
  private final DueHeap heap = new DueHeap(wakes::incrementAndGet);

  private List<String> poll(Instant now) {
    List<String> due = heap.poll(now, 100);
    heap.done(due);
    return due;
  }

  @Test
  void theLongestWaitingComesFirst() {
    heap.due("late", NOW.plusSeconds(2));
    heap.due("early", NOW.plusSeconds(1));
    heap.dueNow("now", NOW);
    assertThat(poll(NOW.plusSeconds(3))).containsExactly("now", "early", "late");
  }

  @Test
  void aClearedHeapKnowsNothingAndTakesHintsAsBefore() {
    heap.due("d", NOW.plusSeconds(1));
    heap.dueNow("barred", NOW);
    poll(NOW);
    heap.bar("barred", Barrier.GATE, NOW, NOW);
    heap.clear();
    assertThat(heap.size()).isZero();
    assertThat(heap.next()).isNull();
    heap.found("barred", NOW);
    assertThat(poll(NOW.plusSeconds(1))).containsExactly("barred");
  }

  @Test
  void nothingComesBeforeItsTime() {
    heap.due("d", NOW.plusNanos(1));
    assertThat(poll(NOW)).isEmpty();
    assertThat(heap.next()).isAfter(NOW);
    assertThat(poll(NOW.plusMillis(DueHeap.TICK_MILLIS))).containsExactly("d");
  }

  @Test
  void laterTimesOfADestinationSurviveItsFirstTurn() {
    heap.due("d", NOW.plusSeconds(1));
    heap.due("d", NOW.plusSeconds(5));
    assertThat(poll(NOW.plusSeconds(1))).containsExactly("d");
    assertThat(poll(NOW.plusSeconds(4))).isEmpty();
    assertThat(poll(NOW.plusSeconds(5))).containsExactly("d");
    assertThat(heap.size()).isZero();
  }

  @Test
  void moreTimesThanAreKeptLoseTheLatestOnes() {
    for (int i = 200; i > 0; i--) {
      heap.due("d", NOW.plusSeconds(i));
    }
    int turns = 0;
    for (int i = 1; i <= 200; i++) {
      turns += poll(NOW.plusSeconds(i)).size();
    }
    assertThat(turns).isEqualTo(DueHeap.MOST_TIMES);
  }

  @Test
  void aBarrierHidesDueRowsUntilItsTime() {
    heap.bar("d", Barrier.TIME, NOW.plusSeconds(10), NOW);
    heap.dueNow("d", NOW);
    heap.found("d", NOW);
    assertThat(poll(NOW.plusSeconds(9))).isEmpty();
    assertThat(poll(NOW.plusSeconds(10))).containsExactly("d");
  }

  @Test
  void anOutcomeLiftsOnlyTheBarrierThatWaitsForOne() {
    heap.bar("slots", Barrier.OUTCOME, NOW.plusSeconds(10), NOW);
    heap.bar("tokens", Barrier.TIME, NOW.plusSeconds(10), NOW);
    heap.outcome("slots", NOW.plusSeconds(1));
    heap.outcome("tokens", NOW.plusSeconds(1));
    assertThat(poll(NOW.plusSeconds(1))).containsExactly("slots");
  }

  @Test
  void aGateBarrierStandsUntilGatesChange() {
    heap.bar("d", Barrier.GATE, NOW, NOW);
    heap.dueNow("d", NOW);
    assertThat(poll(NOW.plus(Duration.ofDays(9)))).isEmpty();
    heap.gatesChanged(NOW);
    assertThat(poll(NOW)).containsExactly("d");
  }

  @Test
  void anEventBetweenTheClaimAndItsBarrierIsNotLost() {
    heap.dueNow("gate", NOW);
    heap.dueNow("slots", NOW);
    List<String> inHand = heap.poll(NOW, 10);
    heap.gatesChanged(NOW);
    heap.outcome("slots", NOW);
    heap.bar("gate", Barrier.GATE, NOW, NOW);
    heap.bar("slots", Barrier.OUTCOME, NOW.plusSeconds(60), NOW);
    heap.done(inHand);
    assertThat(poll(NOW)).containsExactly("gate", "slots");
  }

  @Test
  void anEarlierTurnWakesAndALaterOneDoesNot() {
    heap.due("a", NOW.plusSeconds(5));
    int before = wakes.get();
    heap.due("b", NOW.plusSeconds(9));
    assertThat(wakes).hasValue(before);
    heap.due("c", NOW.plusSeconds(1));
    assertThat(wakes).hasValue(before + 1);
  }

  @Test
  void tenThousandBarredDestinationsCostAPollNothing() {
    for (int i = 0; i < 10_000; i++) {
      heap.dueNow("d" + i, NOW);
    }
    List<String> all = new ArrayList<>();
    for (List<String> due = poll(NOW); !due.isEmpty(); due = poll(NOW)) {
      all.addAll(due);
    }
    all.forEach(id -> heap.bar(id, Barrier.GATE, NOW, NOW));
    assertThat(heap.next()).isNull();
    assertThat(poll(NOW.plusSeconds(1))).isEmpty();
  }
}
