package io.penstock.engine.shelf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.shelf.ShelfRetention.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShelfRetentionTest {
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void theDefaultIsThirtyDays() {
    assertThat(ShelfRetention.DEFAULT.of("acme", Reason.GONE)).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void theClosestRuleCounts() {
    ShelfRetention keep =
        new ShelfRetention(
            Duration.ofDays(30),
            List.of(
                new Rule(null, Reason.GONE, DAY.multipliedBy(2)),
                new Rule("acme", null, DAY.multipliedBy(90)),
                new Rule("acme", Reason.GONE, DAY.multipliedBy(5))));
    assertThat(keep.of("acme", Reason.GONE)).isEqualTo(DAY.multipliedBy(5));
    assertThat(keep.of("acme", Reason.EXPIRED)).isEqualTo(DAY.multipliedBy(90));
    assertThat(keep.of("other", Reason.GONE)).isEqualTo(DAY.multipliedBy(2));
    assertThat(keep.of("other", Reason.EXPIRED)).isEqualTo(DAY.multipliedBy(30));
    assertThat(keep.shortest()).isEqualTo(DAY.multipliedBy(2));
    assertThat(keep.longest()).isEqualTo(DAY.multipliedBy(90));
  }

  @Test
  void whatCannotBeKeptIsRefused() {
    assertThatThrownBy(() -> new ShelfRetention(Duration.ofHours(3), List.of()))
        .hasMessageContaining("got PT3H, wanted PT24H or more");
    assertThatThrownBy(() -> new Rule(null, null, DAY)).hasMessageContaining("got neither");
    assertThatThrownBy(() ->
            new ShelfRetention(DAY, List.of(new Rule("a", null, DAY), new Rule("a", null, DAY))))
        .hasMessageContaining("two exceptions");
  }

  @ParameterizedTest
  @EnumSource
  void everyReasonHasARemedy(Reason reason) {
    assertThat(Remedy.of(reason).means()).endsWith(".");
    assertThat(Remedy.of(reason).next()).endsWith(".");
  }
}
