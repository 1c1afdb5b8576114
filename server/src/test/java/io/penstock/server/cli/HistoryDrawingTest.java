package io.penstock.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryDrawingTest {
  private static List<String> drawn(String more, String glyphs) {
    String history =
        """
        {"destination_id": "dst_a", "state": "shrunken", "rate_per_second": 25.0,
         "ceiling_per_second": 50.0, "knee_per_second": 31.25, "from": "2026-03-10T12:00:00Z",
         "to": "2026-03-10T12:01:04Z", %s "has_more": false}
        """
            .formatted(more);
    return HistoryDrawing.of(Json.tree(history), glyphs).lines().toList();
  }

  @Test
  void a_column_shows_the_rate_that_stood_and_the_list_says_why() {
    List<String> lines =
        drawn(
            """
            "before": {"at": "2026-03-10T11:00:00Z", "rate": 50, "ceiling": 50},
            "points": [
              {"at": "2026-03-10T12:00:32Z", "rate": 25, "ceiling": 50, "throttled": 7}],
            "happenings": [
              {"at": "2026-03-10T12:00:32Z", "kind": "cut", "text": "429: rate 50 → 25"}],
            """,
            " 12345678");
    assertThat(lines)
        .containsExactly(
            "dst_a is shrunken: 25 of 50 a second now, climbing with care above about 31.3."
                + " From 2026-03-10T12:00:00Z to 2026-03-10T12:01:04Z.",
            "rate " + "8".repeat(32) + "4".repeat(32) + "  0 to 50/s",
            "429s " + " ".repeat(32) + "8" + " ".repeat(31) + "  7 in all",
            "     12:00" + " ".repeat(54) + "12:01",
            "12:00:32  429: rate 50 → 25");
  }

  @Test
  void a_quiet_time_is_told_so() {
    assertThat(drawn("\"points\": [], \"happenings\": [],", " #").getLast())
        .isEqualTo("Nothing moved in this time.");
  }
}
