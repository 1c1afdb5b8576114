package io.penstock.push.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EgressPolicyTest {

  @Test
  void blocksAddressesAndNamesMayBeMixed() {
    EgressPolicy policy =
        EgressPolicy.of(List.of("10.0.0.0/8", "fd00::/8", "192.168.1.5", "svc.local"), List.of());
    assertThat(policy.blocks()).extracting(Cidr::prefix).containsExactly(8, 8, 32);
    assertThat(policy.hosts()).containsExactly("svc.local");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/33",
        "10.0.0.1/8",
        "fd00::/129",
        "fd00::/",
        "10.0.0/8",
        "*.local",
        "a b",
        ""
      })
  void anEntryThatIsNeitherIsNamed(String entry) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EgressPolicy.of(List.of(entry), List.of()))
        .withMessageContaining(entry);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "65536", "90-80", "http", "-1", "80-"})
  void aRangeOfPortsThatIsNoneIsNamed(String range) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EgressPolicy.of(List.of(), List.of(range)))
        .withMessageContaining(range.equals("90-80") ? "90-80" : range);
  }
}
