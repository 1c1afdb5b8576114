package io.penstock.testkit.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Forecast;
import io.penstock.budget.Forecast.Expected;
import io.penstock.budget.Forecast.Stretch;
import io.penstock.budget.Forecast.Turn;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.testing.Seeds;
import io.penstock.budget.testing.TestClock;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Forecasts against what the engine then does on the ledger in memory: claims, settles, a receiver
 * that answers well after some time. The bar is a median error under 20 % for waits that tokens or
 * a quota decide.
 */
class ForecastAccuracyTest {
  private static final int SEEDS = 100;
  private static final double BAR = 0.2;

  /** Shorter waits are a matter of a claim's own time. */
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final List<Double> tokens = new ArrayList<>();
  private final List<Double> quotas = new ArrayList<>();

  @Test
  void waitsForTokensAreForetold() {
    Seeds.forEach(SEEDS, random -> measure(random, tokenSettings(random), TestClock.START));
    assertMedian(tokens, "tokens");
  }

  @Test
  void waitsForAQuotaAreForetold() {
    Seeds.forEach(
        SEEDS,
        random -> {
          int limit = 20 + random.nextInt(200);
          BudgetSettings settings =
              tokenSettings(random)
                  .with(new QuotaSettings(QuotaSettings.Per.DAY, ZoneOffset.UTC, limit, 0));
          Instant midnight = TestClock.START.truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(1));
          measure(random, settings, midnight.minusSeconds(30 + random.nextInt(7_200)));
        });
    assertMedian(quotas, "a quota");
  }

  private static BudgetSettings tokenSettings(RandomGenerator random) {
    // From one in two seconds to 200 a second, evenly over the magnitudes.
    double rate = 0.5 * Math.pow(400, random.nextDouble());
    return new BudgetSettings(rate, 1 + random.nextInt(100), 1_000, Duration.ofSeconds(15));
  }

  private void measure(RandomGenerator random, BudgetSettings settings, Instant start) {
    DestinationLimits limits =
        new DestinationLimits(settings, 8, Duration.ofDays(3), OnUnknown.RETRY);
    Duration trip = Duration.ofMillis(5 + random.nextInt(200));
    TestingWorld world = new TestingWorld(new TestClock(start), limits, trip, random.nextLong());
    post(world, random.nextInt(50));
    world.runUntil(start.plusSeconds(20));
    if (random.nextBoolean()) {
      // A wall just now: the rate is cut, and on its way back.
      world.refuseNext(1 + random.nextInt(3));
      post(world, 30);
      world.runUntil(world.clock.instant().plusMillis(100 + random.nextInt(5_000)));
    }
    List<UUID> backlog = new ArrayList<>();
    int count = 20 + random.nextInt(400);
    for (int i = 0; i < count; i++) {
      backlog.add(world.post());
    }
    Instant now = world.clock.instant();
    List<Integer> places = List.of(count / 4, count / 2, count - 1);
    int older = world.waiting() - count;
    List<Expected> expected =
        places.stream()
            .map(place ->
                Forecast.of(
                        world.budget(),
                        settings,
                        List.of(new Stretch(older + place + 1, now, Turn.FIRST, false)),
                        now)
                    .getFirst())
            .toList();
    world.runUntil(start.plus(Duration.ofDays(20)));
    for (int i = 0; i < places.size(); i++) {
      note(expected.get(i), now, world.claimedAt(backlog.get(places.get(i))));
    }
  }

  private static void post(TestingWorld world, int count) {
    for (int i = 0; i < count; i++) {
      world.post();
    }
  }

  private void note(Expected expected, Instant now, Instant was) {
    if (!(expected instanceof Expected.Goes goes)
        || Duration.between(now, was).compareTo(SHORTEST) < 0) {
      return;
    }
    double wait = Duration.between(now, was).toMillis();
    double error = Math.abs(Duration.between(was, goes.at()).toMillis()) / wait;
    // Behind a quota's boundary tokens decide again over who goes first.
    boolean byQuota = !was.truncatedTo(ChronoUnit.DAYS).equals(now.truncatedTo(ChronoUnit.DAYS));
    (byQuota ? quotas : tokens).add(error);
  }

  private static void assertMedian(List<Double> errors, String what) {
    errors.sort(null);
    assertThat(errors).as("enough waits for %s were measured", what).hasSizeGreaterThan(100);
    double median = errors.get(errors.size() / 2);
    assertThat(median).as("median error of waits for %s", what).isLessThan(BAR);
  }
}
