package io.penstock.engine.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.history.Sighting;
import io.penstock.engine.ledger.Acceptance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RollupsTest {
  private static final Instant MINUTE = Instant.parse("2026-03-10T10:05:00Z");

  private Instant now = MINUTE.plusSeconds(7);
  private final Rollups rollups = new Rollups(() -> now);

  @Test
  void counts_are_per_destination_and_minute_and_are_taken_once() {
    var pending = new Acceptance.Fanned("dst_a", DeliveryState.PENDING, null);
    var dead = new Acceptance.Fanned("dst_a", DeliveryState.DEAD, Reason.BACKLOG_FULL);
    rollups.admitted(
        List.of(
            new Acceptance.Stored(new UUID(0, 1), List.of(pending, dead)),
            new Acceptance.Replayed(new UUID(0, 2), List.of(pending))));
    rollups.permitsTaken("dst_a", 2);
    rollups.permitEnded("dst_a", "throttled");
    rollups.seen(List.of(new Sighting("dst_a", now, 25, 50, null, 1, List.of())));
    rollups.waiting("dst_a", now, 12, MINUTE);
    now = MINUTE.plusSeconds(60);
    rollups.permitsTaken("dst_a", 1);

    assertThat(rollups.take())
        .containsExactly(
            new Rollup("dst_a", MINUTE, 1, 2, Map.of("throttled", 1), 12L, MINUTE, 25.0),
            new Rollup("dst_a", now, 0, 1, Map.of(), null, null, null));
    assertThat(rollups.take()).isEmpty();
  }

  @Test
  void what_could_not_be_written_is_counted_again() {
    rollups.permitsTaken("dst_a", 2);
    List<Rollup> taken = rollups.take();
    rollups.permitsTaken("dst_a", 1);
    rollups.giveBack(taken);
    assertThat(rollups.take()).singleElement().returns(3, Rollup::sent);
  }

  @Test
  void memory_is_bounded_and_what_found_no_room_is_told() {
    IntStream.range(0, Rollups.MOST_ROWS + 5).forEach(i -> rollups.permitsTaken("dst_" + i, 1));
    assertThat(rollups.take()).hasSize(Rollups.MOST_ROWS);
    assertThat(rollups.lost()).isEqualTo(5);
  }
}
