package io.penstock.engine.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.TestClock;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NoticesTest {
  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
  private static final Merging MERGING = new Merging(Duration.ofSeconds(10));

  private static Notice parked(String id) {
    return new Notice(NoticeKind.PARKED, id, "acme", "throttled", START);
  }

  private static List<Notice> parked(int count) {
    List<Notice> many = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      many.add(parked("dst_" + i));
    }
    return many;
  }

  @Test
  void a_notice_waits_for_its_window_and_is_told_alone() {
    Merging.Merged first = MERGING.decide(Merging.State.NOTHING, parked(1), START);
    assertThat(first.told()).isEmpty();
    Merging.Merged early = MERGING.decide(first.state(), parked(2), START.plusSeconds(9));
    assertThat(early.told()).isEmpty();
    Merging.Merged ripe = MERGING.decide(early.state(), parked(2), START.plusSeconds(10));
    assertThat(ripe.told()).hasSize(2).allSatisfy(one -> assertThat(one.count()).isEqualTo(1));
    assertThat(ripe.state()).isEqualTo(Merging.State.NOTHING);
  }

  @Test
  void what_heals_within_the_window_is_never_told() {
    Merging.Merged seen = MERGING.decide(Merging.State.NOTHING, parked(1), START);
    Merging.Merged healed = MERGING.decide(seen.state(), List.of(), START.plusSeconds(5));
    Merging.Merged again = MERGING.decide(healed.state(), parked(1), START.plusSeconds(11));
    assertThat(again.told()).isEmpty();
  }

  @Test
  void a_swarm_is_one_message_with_its_count() {
    Merging.Merged seen = MERGING.decide(Merging.State.NOTHING, parked(60), START);
    Merging.Merged ripe = MERGING.decide(seen.state(), parked(60), START.plusSeconds(10));
    assertThat(ripe.told())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.count()).isEqualTo(60);
          assertThat(one.named()).hasSize(NoticeBatch.MOST_NAMED);
        });
  }

  @Test
  void a_big_swarm_does_not_wait_and_kinds_are_told_apart() {
    List<Notice> all = new ArrayList<>(parked(Merging.MOST_WAITING));
    all.add(new Notice(NoticeKind.HELD, "dst_0", "acme", "held", START));
    Merging.Merged merged = MERGING.decide(Merging.State.NOTHING, all, START);
    assertThat(merged.told())
        .singleElement()
        .extracting(NoticeBatch::kind)
        .isEqualTo(NoticeKind.PARKED);
    assertThat(merged.state().seen()).hasSize(1);
  }

  @Test
  void a_clock_set_back_holds_nothing_for_longer_than_a_window() {
    Merging.Merged seen = MERGING.decide(Merging.State.NOTHING, parked(1), START);
    Instant back = START.minusSeconds(3_600);
    Merging.Merged after = MERGING.decide(seen.state(), parked(1), back);
    assertThat(MERGING.decide(after.state(), parked(1), back.plusSeconds(10)).told()).hasSize(1);
  }

  /** Untold until told; another node may lead. */
  private static final class TestingNotices implements Notices {
    final List<Notice> open = new ArrayList<>();
    boolean leads = true;

    @Override
    public boolean lead(String node) {
      return leads;
    }

    @Override
    public List<Notice> untold() {
      return List.copyOf(open);
    }

    @Override
    public void told(List<Notice> notices) {
      open.removeAll(notices);
    }
  }

  @Test
  @DisplayName("case 45: a sink that fails keeps its notices for the next look, and stops nobody")
  void case45_a_failing_sink_is_tried_again() {
    TestClock clock = new TestClock();
    TestingNotices notices = new TestingNotices();
    List<NoticeBatch> posted = new ArrayList<>();
    boolean[] fails = {true};
    NoticeRunner runner =
        new NoticeRunner(
            notices,
            "node-1",
            new Merging(Duration.ZERO),
            batch -> {
              if (fails[0]) {
                throw new LedgerException("it does not answer");
              }
              posted.add(batch);
            },
            clock,
            NodeListener.NONE);
    notices.open.add(parked("dst_a"));
    assertThat(runner.runOnce()).isEqualTo(NoticeRunner.REST);
    assertThat(posted).isEmpty();
    fails[0] = false;
    runner.runOnce();
    assertThat(posted).hasSize(1);
    runner.runOnce();
    assertThat(posted).hasSize(1);
    notices.open.add(parked("dst_b"));
    notices.leads = false;
    runner.runOnce();
    assertThat(posted).hasSize(1);
  }
}
