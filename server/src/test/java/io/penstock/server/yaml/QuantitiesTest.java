package io.penstock.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({"250ms,PT0.25S", "15s,PT15S", "5m,PT5M", "72h,PT72H", "30d,PT720H"})
  void durationsAreRead(String text, Duration meant) {
    assertThat(Quantities.duration(text)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"1B,1", "256KiB,262144", "8MiB,8388608", "2GiB,2147483648"})
  void sizesAreRead(String text, long meant) {
    assertThat(Quantities.bytes(text)).contains(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"15", "", "s", "-1s", "1.5s", "15 s", "15S", "9999999999s", "1KB"})
  void aNumberWithoutItsUnitIsNothing(String text) {
    assertThat(Quantities.duration(text)).isEmpty();
    assertThat(Quantities.bytes(text)).isEmpty();
  }
}
