package io.penstock.server.limits;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.server.yaml.Quantities;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The limits that a destination can have: for each its key, what may stand there, what it sets. */
enum LimitKey {
  RATE_PER_SECOND(
      "0 to %,.0f requests per second; 0 = closed".formatted(BudgetSettings.MAX_RATE_PER_SECOND)) {
    @Override
    Optional<DestinationLimits> set(DestinationLimits on, String text) {
      return number(text)
          .filter(rate -> rate <= BudgetSettings.MAX_RATE_PER_SECOND)
          .map(rate -> withBudget(on, on.budget().withRate(rate, on.budget().burst())));
    }
  },
  BURST("1 to %,d requests".formatted(BudgetSettings.MAX_BURST)) {
    @Override
    Optional<DestinationLimits> set(DestinationLimits on, String text) {
      return whole(text, 1, BudgetSettings.MAX_BURST)
          .map(burst -> withBudget(on, on.budget().withRate(on.budget().ratePerSecond(), burst)));
    }
  },
  SLOTS("1 to %,d attempts in flight".formatted(BudgetSettings.MAX_SLOTS)) {
    @Override
    Optional<DestinationLimits> set(DestinationLimits on, String text) {
      return whole(text, 1, BudgetSettings.MAX_SLOTS)
          .map(slots -> withBudget(on, on.budget().withSlots(slots)));
    }
  },
  TIMEOUT("100ms to 1h, as " + Quantities.DURATION_WORDS) {
    @Override
    Optional<DestinationLimits> set(DestinationLimits on, String text) {
      return within(text, Duration.ofMillis(100), BudgetSettings.MAX_TIMEOUT)
          .map(timeout ->
              withBudget(
                  on,
                  new BudgetSettings(
                      on.budget().ratePerSecond(),
                      on.budget().burst(),
                      on.budget().slots(),
                      timeout)));
    }
  },
  MAX_ATTEMPTS("1 to 100 attempts") {
    @Override
    Optional<DestinationLimits> set(DestinationLimits on, String text) {
      return whole(text, 1, 100)
          .map(most -> new DestinationLimits(on.budget(), most, on.ageLimit(), on.onUnknown()));
    }
  },
  AGE_LIMIT("1m to 30d, as " + Quantities.DURATION_WORDS) {
    @Override
    Optional<DestinationLimits> set(DestinationLimits on, String text) {
      return within(text, Duration.ofMinutes(1), Duration.ofDays(30))
          .map(age -> new DestinationLimits(on.budget(), on.maxAttempts(), age, on.onUnknown()));
    }
  },
  ON_UNKNOWN("retry or shelf") {
    @Override
    Optional<DestinationLimits> set(DestinationLimits on, String text) {
      return Arrays.stream(DestinationLimits.OnUnknown.values())
          .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(text))
          .findFirst()
          .map(choice ->
              new DestinationLimits(on.budget(), on.maxAttempts(), on.ageLimit(), choice));
    }
  };

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");

  private static final Map<String, LimitKey> BY_WORD =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(LimitKey::word, Function.identity()));

  private final String allowed;

  LimitKey(String allowed) {
    this.allowed = allowed;
  }

  /** The limits with this one set as the text says; empty when the text is not allowed. */
  abstract Optional<DestinationLimits> set(DestinationLimits on, String text);

  /** The key in the file. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What may stand there, in words. */
  String allowed() {
    return allowed;
  }

  static Map<String, LimitKey> byWord() {
    return BY_WORD;
  }

  private static DestinationLimits withBudget(DestinationLimits on, BudgetSettings budget) {
    return new DestinationLimits(budget, on.maxAttempts(), on.ageLimit(), on.onUnknown());
  }

  private static Optional<Double> number(String text) {
    return NUMBER.matcher(text).matches() ? Optional.of(Double.valueOf(text)) : Optional.empty();
  }

  private static Optional<Integer> whole(String text, int least, int most) {
    return Optional.of(text)
        .filter(t -> WHOLE.matcher(t).matches())
        .map(Integer::valueOf)
        .filter(n -> n >= least && n <= most);
  }

  private static Optional<Duration> within(String text, Duration least, Duration most) {
    return Quantities.duration(text).filter(d -> d.compareTo(least) >= 0 && d.compareTo(most) <= 0);
  }
}
