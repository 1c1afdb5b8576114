package io.penstock.engine.shelf;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.Seeds;
import io.penstock.engine.delivery.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Counting by deltas. */
class ShelfTallyTest {
  private static final Instant T0 = Instant.parse("2026-03-10T12:00:00Z");

  private static GroupKey key(String phrase) {
    return new GroupKey(0, "dst_a", "acme", Reason.REJECTED, 400, phrase);
  }

  private static Tally changed(ShelfTally tally, GroupKey key) {
    return requireNonNull(tally.changes().get(key));
  }

  @Test
  void arrivalsAreCountedWithFirstLastAndExample() {
    ShelfTally tally = new ShelfTally(Map.of());
    tally.arrived(key("bad"), T0.plusSeconds(1), 7);
    tally.arrived(key("bad"), T0, 6);
    tally.arrived(key("worse"), T0, 8);
    assertThat(tally.changes())
        .containsOnly(
            Map.entry(key("bad"), new Tally(2, T0, T0.plusSeconds(1), 7)),
            Map.entry(key("worse"), new Tally(1, T0, T0, 8)));
  }

  @Test
  void theLastOneThatLeavesEmptiesTheGroup() {
    ShelfTally tally = new ShelfTally(Map.of(key("bad"), new Tally(2, T0, T0.plusSeconds(9), 7)));
    tally.left(key("bad"));
    assertThat(changed(tally, key("bad")).letters()).isEqualTo(1);
    tally.notBefore(key("bad"), T0.plusSeconds(5));
    assertThat(changed(tally, key("bad")).firstAt()).isEqualTo(T0.plusSeconds(5));
    tally.left(key("bad"));
    assertThat(changed(tally, key("bad")).letters()).isZero();
  }

  @Test
  void endlesslyNewWordsOfOneDestinationShareOneGroup() {
    ShelfTally tally = new ShelfTally(Map.of());
    for (int i = 0; i < 500; i++) {
      tally.arrived(key("w" + i), T0, i);
    }
    assertThat(tally.changes()).hasSize(ShelfTally.MOST_PHRASES + 1);
    assertThat(changed(tally, key(GroupKey.OTHER)).letters())
        .isEqualTo(500 - ShelfTally.MOST_PHRASES);
  }

  @Test
  void theSumIsRightWhateverComesAndGoes() {
    Seeds.forEach(20, ShelfTallyTest::comeAndGo);
  }

  private static void comeAndGo(RandomGenerator random) {
    Map<GroupKey, Tally> standing = new HashMap<>();
    List<GroupKey> lying = new ArrayList<>();
    for (int round = 0; round < 60; round++) {
      ShelfTally tally = new ShelfTally(standing);
      for (int i = 0; i < 50; i++) {
        if (lying.isEmpty() || random.nextInt(100) < 52) {
          GroupKey key = key("w" + random.nextInt(80));
          lying.add(key);
          tally.arrived(key, T0, i);
        } else {
          tally.left(lying.remove(random.nextInt(lying.size())));
        }
      }
      tally
          .changes()
          .forEach((key, after) -> {
            if (after.letters() == 0) {
              standing.remove(key);
            } else {
              standing.put(key, after);
            }
          });
      assertThat(standing.values().stream().mapToLong(Tally::letters).sum())
          .isEqualTo(lying.size());
    }
  }
}
