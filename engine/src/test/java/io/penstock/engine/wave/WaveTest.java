package io.penstock.engine.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.NewEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WaveTest {
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  private static final Duration WINDOW = Duration.ofHours(6);

  private static long ids;

  private static NewEvent event(
      @Nullable String item, @Nullable String key, @Nullable Duration over) {
    return new NewEvent(
        new UUID(0x7000, ids++),
        "acme",
        "page.due",
        "application/json",
        List.of(),
        new byte[0],
        Urgency.BATCH,
        key,
        List.of(),
        item,
        null,
        over);
  }

  @Test
  void without_a_window_everything_is_due_at_once() {
    assertThat(event("page", null, null).dueAt("tube", NOW)).isEqualTo(NOW);
  }

  @Test
  @DisplayName("case 53: items come uniformly over the window, no tail gathers at its end")
  void items_come_uniformly_over_the_window() {
    int[] hours = new int[6];
    for (int i = 0; i < 6_000; i++) {
      Instant due = event("page-" + i, null, WINDOW).dueAt("tube", NOW);
      assertThat(due).isBetween(NOW, NOW.plus(WINDOW).minusNanos(1));
      hours[(int) Duration.between(NOW, due).toHours()]++;
    }
    for (int count : hours) {
      assertThat(count).isBetween(880, 1_120);
    }
  }

  @Test
  void an_item_has_the_same_place_in_each_wave_whatever_its_key() {
    Instant first = event("page", "k1", WINDOW).dueAt("tube", NOW);
    Instant day = NOW.plus(Duration.ofDays(1));
    assertThat(event("page", "k2", WINDOW).dueAt("tube", day))
        .isEqualTo(first.plus(Duration.ofDays(1)));
    assertThat(event("page", "k1", WINDOW).dueAt("other", NOW)).isNotEqualTo(first);
  }

  @Test
  void without_an_item_the_key_gives_the_place_and_without_that_the_event() {
    assertThat(event(null, "page", WINDOW).dueAt("tube", NOW))
        .isEqualTo(event("page", null, WINDOW).dueAt("tube", NOW));
    assertThat(event(null, null, WINDOW).dueAt("tube", NOW))
        .isNotEqualTo(event(null, null, WINDOW).dueAt("tube", NOW));
  }

  @Test
  void windows_have_bounds() {
    assertThatThrownBy(() -> event("page", null, Duration.ofDays(8)))
        .hasMessageContaining("1 s to 7 days");
    assertThatThrownBy(() -> event("page", null, Duration.ZERO))
        .hasMessageContaining("1 s to 7 days");
  }
}
