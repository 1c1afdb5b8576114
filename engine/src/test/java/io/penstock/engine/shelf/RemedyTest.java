package io.penstock.engine.shelf;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.Reason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RemedyTest {
  @ParameterizedTest
  @EnumSource
  void everyReasonIsExplainedAndHasARemedyInWholeSentences(Reason reason) {
    assertThat(Remedy.of(reason).means()).matches("[A-Z].*\\.");
    assertThat(Remedy.of(reason).next()).matches("[A-Z].*\\.");
  }
}
