package io.penstock.server.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SpellingTest {
  @Test
  void theNearestWordIsFound() {
    assertThat(Spelling.hint("brust", Set.of("burst", "slots"))).isEqualTo("did you mean burst?");
    assertThat(Spelling.hint("rate_per_secnd", Set.of("rate_per_second", "burst")))
        .isEqualTo("did you mean rate_per_second?");
  }

  @Test
  void aWordThatIsNearNoneGetsTheWholeList() {
    assertThat(Spelling.hint("colour", Set.of("burst", "slots")))
        .isEqualTo("known are burst, slots");
  }

  @Test
  void distancesAreThoseOfLevenshtein() {
    assertThat(Spelling.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Spelling.distance("", "abc")).isEqualTo(3);
    assertThat(Spelling.distance("abc", "abc")).isZero();
  }
}
