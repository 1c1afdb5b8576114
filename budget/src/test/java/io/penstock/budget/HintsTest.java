package io.penstock.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HintsTest {
  private static final Instant RECEIVED = Instant.parse("1994-11-06T08:49:37Z");

  private static Hint parse(int status, Map<String, List<String>> headers) {
    return Hints.parse(status, name -> headers.getOrDefault(name, List.of()), RECEIVED);
  }

  private static Hint retryAfter(String value) {
    return parse(429, Map.of("retry-after", List.of(value)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 | PT30S",
        "' 30 ' | PT30S",
        "1.5 | PT1.5S",
        ".2 | PT0.2S",
        "0.0001 | PT0.001S",
        "120ms | PT0.12S",
        "2m | PT2M",
        "2 minutes | PT2M",
        "3S | PT3S",
        "1h | PT1H",
        "7200 | PT1H",
        "999999999999999999999 | ",
        "5, 30, 10 | PT30S",
        "5, garbage | PT5S",
        "784111787 | PT1H",
        "1000000000 | PT1H",
        "'Sun, 06 Nov 1994 08:50:07 GMT' | PT30S",
        "'Sunday, 06-Nov-94 08:50:07 GMT' | PT30S",
        "'Sun Nov  6 08:50:07 1994' | PT30S",
        "'5, Sun, 06 Nov 1994 08:50:07 GMT' | PT30S",
        "'Mon, 07 Nov 1994 08:50:07 GMT' | PT1H",
      })
  void retryAfterIsReadInItsFormsRoundedUpAndCapped(String value, Duration expected) {
    assertThat(retryAfter(value).stayAway()).isEqualTo(expected);
  }

  @Test
  void epochTimesAreReadAsTimes() {
    Instant received = Instant.parse("2026-03-10T12:00:00.250Z");
    long epoch = received.getEpochSecond() + 10;
    assertThat(hintAt(received, Long.toString(epoch))).isEqualTo(Duration.ofMillis(9_750));
    assertThat(hintAt(received, Long.toString(epoch * 1_000 + 3)))
        .isEqualTo(Duration.ofMillis(9_753));
    assertThat(hintAt(received, Long.toString(epoch - 60))).isNull();
  }

  private static @org.jspecify.annotations.Nullable Duration hintAt(Instant at, String value) {
    return Hints.parse(503, name -> name.equals("retry-after") ? List.of(value) : List.of(), at)
        .stayAway();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "-0.5",
        "NaN",
        "Infinity",
        "1e9",
        "soon",
        "5 parsecs",
        ",,,",
        "Sun, 06 Nov 1994 08:49:07 GMT",
        "Sun, 99 Nov 1994 08:49:37 GMT",
        "٣٠",
        "0x10",
        "Sat, 06 Nov 1994 08:50:07 GMT"
      })
  void whatIsNegativePastOrGarbageIsNoHint(String value) {
    assertThat(retryAfter(value)).isEqualTo(Hint.NONE);
  }

  @Test
  void aDateIsTakenAgainstTheAnswersOwnDate() {
    Hint hint =
        parse(
            429,
            Map.of(
                "date", List.of("Sun, 06 Nov 1994 20:00:00 GMT"),
                "retry-after", List.of("Sun, 06 Nov 1994 20:00:05 GMT")));
    assertThat(hint.stayAway()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void retryAfterIsTrustedBeforeTheOthers() {
    Map<String, List<String>> headers =
        Map.of(
            "retry-after", List.of("2"),
            "ratelimit", List.of("\"p\";r=0;t=30"),
            "x-ratelimit-remaining", List.of("0"),
            "x-ratelimit-reset", List.of("40"));
    assertThat(parse(429, headers).stayAway()).isEqualTo(Duration.ofSeconds(2));
    assertThat(parse(200, headers).stayAway())
        .as("on a success Retry-After means nothing, an exhausted limit does")
        .isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"p\";r=0;t=30' | PT30S",
        "'\"burst\";r=5;t=1, \"day\";r=0;t=90' | PT1M30S",
        "'\"burst\";r=0;t=1, \"day\";r=0;t=90' | PT1M30S",
        "'\"p\";r=1;t=30' | ",
        "'limit=100, remaining=0, reset=7' | PT7S",
        "'limit=100, remaining=3, reset=7' | ",
        "'nonsense' | ",
      })
  void theDraftsRateLimitCountsWhenNothingRemains(String value, Duration expected) {
    assertThat(parse(429, Map.of("ratelimit", List.of(value))).stayAway()).isEqualTo(expected);
  }

  @Test
  void aVendorsResetCountsWhenNothingRemains() {
    assertThat(vendor("0", "12").stayAway()).isEqualTo(Duration.ofSeconds(12));
    assertThat(vendor("1", "12")).isEqualTo(Hint.NONE);
    assertThat(vendor("0", "garbage")).isEqualTo(Hint.NONE);
  }

  private static Hint vendor(String remaining, String reset) {
    return parse(
        429,
        Map.of("x-ratelimit-remaining", List.of(remaining), "x-ratelimit-reset", List.of(reset)));
  }

  @Test
  void aHugeHeaderIsReadOnlyUpToItsBound() {
    assertThat(retryAfter("7," + "x".repeat(1_000_000)).stayAway())
        .isEqualTo(Duration.ofSeconds(7));
  }
}
