package io.penstock.engine.tube;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DeskTest {
  private final List<List<Integer>> transactions = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private boolean away;
  private int wakes;
  private final Desk<Integer, String> desk = new Desk<>(this::transaction, () -> wakes++);

  private List<String> transaction(int shard, List<Integer> asked) {
    if (away) {
      throw new LedgerException("away");
    }
    transactions.add(asked);
    return asked.stream().map(n -> shard + ":" + n).toList();
  }

  private void ask(int shard, int n) {
    desk.ask(
        shard,
        n,
        new Reply<>() {
          @Override
          public void answer(String answer) {
            answers.add(answer);
          }

          @Override
          public void fail(RuntimeException failure) {
            answers.add("failed");
          }
        });
  }

  @Test
  @DisplayName("case 28: a renewal waits for no timer, only for the transaction before it")
  void case28_whatIsAskedGoesWithTheNextTransaction() {
    ask(0, 1);
    assertThat(wakes).isEqualTo(1);
    assertThat(desk.runOnce()).isEqualTo(Duration.ZERO);
    assertThat(answers).containsExactly("0:1");
    ask(0, 2);
    ask(1, 3);
    ask(0, 4);
    assertThat(desk.runOnce()).isEqualTo(Duration.ZERO);
    assertThat(transactions).containsExactly(List.of(1), List.of(2, 4), List.of(3));
    assertThat(desk.runOnce()).isEqualTo(Desk.LONGEST_NAP);
  }

  @Test
  void aCrowdIsServedInBatchesInItsOrder() {
    for (int n = 0; n < Desk.MOST + 1; n++) {
      ask(0, n);
    }
    assertThat(desk.runOnce()).isEqualTo(Duration.ZERO);
    assertThat(answers).hasSize(Desk.MOST);
    assertThat(desk.runOnce()).isEqualTo(Duration.ZERO);
    assertThat(answers).hasSize(Desk.MOST + 1).last().isEqualTo("0:" + Desk.MOST);
  }

  @Test
  void aLedgerThatIsAwayIsToldToThoseWhoAskedAndTheNextGoOn() {
    away = true;
    ask(0, 1);
    assertThat(desk.runOnce()).isEqualTo(Duration.ZERO);
    away = false;
    ask(0, 2);
    assertThat(desk.runOnce()).isEqualTo(Duration.ZERO);
    assertThat(answers).containsExactly("failed", "0:2");
  }
}
