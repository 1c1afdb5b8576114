package io.penstock.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class BudgetEffectTest {

  static Stream<Arguments> matrix() {
    return Stream.of(
        row(new Outcome.Delivered(204, "ok", Hint.NONE), BudgetEffect.GROW, false),
        row(new Outcome.Throttled(429, "throttled", Hint.NONE), BudgetEffect.CUT_AND_PIN, true),
        row(new Outcome.Transient(500, "error", Hint.NONE), BudgetEffect.CUT_WHEN_REPEATED, true),
        row(
            new Outcome.Transient(0, "connect_refused", Hint.NONE),
            BudgetEffect.CUT_WHEN_REPEATED,
            true),
        row(unknown(Outcome.Unknown.TIMED_OUT), BudgetEffect.CUT, true),
        row(unknown(Outcome.Unknown.RESET), BudgetEffect.CUT_WHEN_REPEATED, true),
        row(unknown(Outcome.Unknown.LEASE_LOST), BudgetEffect.NONE, true),
        row(new Outcome.Rejected(404, "not_found"), BudgetEffect.COUNT_REJECTED, false),
        row(new Outcome.Unauthorised(401, "denied"), BudgetEffect.COUNT_UNAUTHORISED, false),
        row(new Outcome.Gone(410, "gone"), BudgetEffect.CLOSE_GONE, false),
        row(new Outcome.Unsendable(0, "body_too_large"), BudgetEffect.NONE, false),
        row(new Outcome.Misconfigured(0, "secret_missing"), BudgetEffect.HOLD_MISCONFIGURED, false),
        row(
            new Outcome.Misconfigured(0, Outcome.Misconfigured.SECRET_STORE_SILENT),
            BudgetEffect.PIN_BRIEFLY,
            false),
        row(new Outcome.Ours(0, "database"), BudgetEffect.NONE, false));
  }

  private static Arguments row(Outcome outcome, BudgetEffect effect, boolean failsProbe) {
    return Arguments.of(outcome, effect, failsProbe);
  }

  private static Outcome unknown(String detail) {
    return new Outcome.Unknown(0, detail);
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void everyOutcomeHasItsEffect(Outcome outcome, BudgetEffect effect, boolean failsProbe) {
    assertThat(BudgetEffect.of(outcome)).isEqualTo(effect);
    assertThat(BudgetEffect.failsProbe(outcome)).isEqualTo(failsProbe);
  }

  @ParameterizedTest
  @EnumSource(BudgetEffect.class)
  void everyEffectIsInTheTable(BudgetEffect effect) {
    assertThat(matrix().map(row -> row.get()[1])).contains(effect);
  }

  @ParameterizedTest
  @MethodSource("outcomeClasses")
  void everyClassIsInTheTable(Class<?> outcomeClass) {
    assertThat(matrix().map(row -> row.get()[0])).anyMatch(outcomeClass::isInstance);
  }

  static Stream<Class<?>> outcomeClasses() {
    return Arrays.stream(Outcome.class.getPermittedSubclasses());
  }
}
