package io.penstock.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import org.junit.jupiter.api.Test;

class SettlerTimesTest {
  @Test
  void case28NothingGathersLongerThanASixthOfTheShortestLease() {
    // The shortest lease is that of the shortest deadline: a second and a bit.
    var shortest = java.time.Duration.ofMillis(1_001);
    assertThat(Settler.GATHER.multipliedBy(6)).isLessThan(shortest);
    assertThat(Settler.GATHER.multipliedBy(6)).isLessThan(DestinationLimits.DEFAULT.lease());
  }
}
