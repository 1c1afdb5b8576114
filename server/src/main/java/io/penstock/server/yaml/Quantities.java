package io.penstock.server.yaml;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them: a number and its unit, never a bare number. */
public final class Quantities {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(B|KiB|MiB|GiB)");
  private static final Map<String, Duration> DURATION_UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));
  private static final Map<String, Long> SIZE_UNITS =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

  public static final String DURATION_WORDS = "a number with ms, s, m, h or d, for instance 15s";
  public static final String SIZE_WORDS = "a number with B, KiB, MiB or GiB, for instance 256KiB";

  private Quantities() {}

  /** The duration that a text means; empty when it means none. */
  public static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Duration unit = Objects.requireNonNull(DURATION_UNITS.get(matcher.group(2)));
    return Optional.of(unit.multipliedBy(Long.parseLong(matcher.group(1))));
  }

  /** The bytes that a text means; empty when it means none. */
  public static Optional<Long> bytes(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long unit = Objects.requireNonNull(SIZE_UNITS.get(matcher.group(2)));
    return Optional.of(Long.parseLong(matcher.group(1)) * unit);
  }
}
