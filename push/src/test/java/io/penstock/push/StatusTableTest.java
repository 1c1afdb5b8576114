package io.penstock.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.limits.OutcomeOverrides;
import io.penstock.engine.limits.OutcomeOverrides.Kind;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTableTest {
  private static final Hint SOON = new Hint(Duration.ofSeconds(3));

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "200, Delivered", "201, Delivered", "202, Delivered", "204, Delivered", "299, Delivered",
    "300, Rejected", "301, Rejected", "302, Rejected", "304, Rejected", "307, Rejected",
    "308, Rejected", "400, Rejected", "401, Unauthorised", "402, Rejected", "403, Unauthorised",
    "404, Rejected", "405, Rejected", "407, Rejected", "408, Transient", "409, Rejected",
    "410, Gone", "411, Rejected", "413, Rejected", "415, Rejected", "418, Rejected",
    "422, Rejected", "423, Rejected", "425, Transient", "426, Rejected", "429, Throttled",
    "431, Rejected", "451, Rejected", "499, Rejected", "500, Transient", "501, Transient",
    "502, Transient", "503, Transient", "504, Transient", "508, Transient", "599, Transient",
    "600, Unknown", "999, Unknown"
  })
  void eachStatusHasItsClass(int status, String outcome) {
    assertThat(StatusTable.outcome(status, Hint.NONE).getClass().getSimpleName())
        .isEqualTo(outcome);
  }

  @Test
  void aServerThatSaysWhenToComeBackAsksForLess() {
    assertThat(StatusTable.outcome(503, SOON)).isInstanceOf(Outcome.Throttled.class);
    assertThat(StatusTable.outcome(500, SOON)).isInstanceOf(Outcome.Transient.class);
  }

  @Test
  @DisplayName("case 4: what the answer says about when to come back stays with the outcome")
  void case04_hintsStay() {
    for (int status : new int[] {200, 408, 429, 500, 503}) {
      assertThat(StatusTable.outcome(status, SOON).hint()).isEqualTo(SOON);
    }
  }

  @Test
  @DisplayName("case 34: a redirect is a failure of its own class")
  void case34_redirectsAreRejected() {
    assertThat(StatusTable.outcome(302, Hint.NONE))
        .isEqualTo(new Outcome.Rejected(302, "http_302"));
  }

  @Test
  void aDestinationsOwnWordsWinOverTheTableAndKeepTheHint() {
    var own = new OutcomeOverrides(Map.of(404, Kind.THROTTLED), Map.of(2, Kind.REJECTED));
    assertThat(StatusTable.outcome(404, SOON, own))
        .isEqualTo(new Outcome.Throttled(404, "http_404", SOON));
    assertThat(StatusTable.outcome(200, Hint.NONE, own)).isInstanceOf(Outcome.Rejected.class);
    assertThat(StatusTable.outcome(500, Hint.NONE, own)).isInstanceOf(Outcome.Transient.class);
  }
}
