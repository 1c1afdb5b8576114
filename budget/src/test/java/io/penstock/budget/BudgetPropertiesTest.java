package io.penstock.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.testing.Seeds;
import io.penstock.budget.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What holds in every history of asking, sending, answers and clocks. */
final class BudgetPropertiesTest {
  private static final int STEPS = 300;

  /** A random history of one budget; what is in flight comes back in any order, or not at all. */
  private static final class History {
    final RandomGenerator random;
    final TestClock clock = new TestClock();
    final DrivenBudget driven;
    final List<Stamp> out = new ArrayList<>();
    final List<Instant> sent = new ArrayList<>();

    History(RandomGenerator random, boolean adaptive) {
      this.random = random;
      double rate = Math.pow(10, -1 + 4 * random.nextDouble());
      BudgetSettings settings =
          new BudgetSettings(
              rate,
              1 + random.nextInt(200),
              1 + random.nextInt(100),
              Duration.ofSeconds(1 + random.nextInt(20)),
              adaptive ? AdaptiveSettings.DEFAULT : AdaptiveSettings.OFF,
              null,
              null,
              null);
      driven = new DrivenBudget(settings, clock);
    }

    void step() {
      if (random.nextInt(3) > 0) {
        clock.advance(Duration.ofNanos(random.nextLong(500_000_000L)));
      }
      if (driven.ask() instanceof Decision.Admit admit) {
        int count = 1 + random.nextInt(admit.most());
        Budget.Debit debit = new Budget.Debit(count, 0, 0, admit.probe());
        driven.state = Budget.debit(driven.state, driven.settings, debit, clock.instant());
        for (int i = 0; i < count; i++) {
          out.add(new Stamp(admit.generation(), admit.probe(), false, false));
          sent.add(clock.instant());
        }
      }
      while (!out.isEmpty() && random.nextInt(3) > 0) {
        feedOne();
      }
    }

    void feedOne() {
      Stamp stamp = out.remove(random.nextInt(out.size()));
      if (random.nextInt(20) == 0) {
        driven.feed(new Feedback.LeaseLost(stamp));
      } else {
        driven.feed(stamp, outcome());
      }
    }

    Outcome outcome() {
      Hint hint =
          random.nextInt(4) == 0 ? new Hint(Duration.ofMillis(random.nextInt(3_000))) : Hint.NONE;
      return switch (random.nextInt(12)) {
        case 0, 1 -> new Outcome.Throttled(429, "throttled", hint);
        case 2 -> new Outcome.Transient(500, "error", hint);
        case 3 -> new Outcome.Unknown(0, Outcome.Unknown.TIMED_OUT);
        case 4 -> new Outcome.Unknown(0, Outcome.Unknown.RESET);
        case 5 -> new Outcome.Ours(0, "database");
        default -> new Outcome.Delivered(200, "ok", Hint.NONE);
      };
    }
  }

  @Test
  void inEveryWindowNoMoreIsSentThanRateTimesTimeAndTheBurst() {
    Seeds.forEach(
        150,
        random -> {
          History history = new History(random, random.nextInt(3) > 0);
          for (int i = 0; i < STEPS; i++) {
            history.step();
          }
          BudgetSettings settings = history.driven.settings;
          List<Instant> sent = history.sent.subList(0, Math.min(600, history.sent.size()));
          for (int from = 0; from < sent.size(); from++) {
            for (int to = from; to < sent.size(); to++) {
              double seconds = Duration.between(sent.get(from), sent.get(to)).toNanos() / 1e9;
              // Probes of a parked budget need no token: one per gap, far below the rate saved.
              double most = settings.ratePerSecond() * (seconds + 1e-6) + settings.burst() + 1;
              assertThat((double) (to - from + 1)).isLessThanOrEqualTo(most + 1e-6);
            }
          }
        });
  }

  @Test
  void aWaitIsNeverNegativeNorRoundedDown() {
    Seeds.forEach(
        150,
        random -> {
          History history = new History(random, true);
          for (int i = 0; i < STEPS; i++) {
            history.step();
            if (history.driven.ask() instanceof Decision.Wait wait) {
              assertThat(wait.until()).isAfterOrEqualTo(history.clock.instant().plusMillis(1));
              assertThat(wait.until()).isEqualTo(wait.until().truncatedTo(ChronoUnit.MILLIS));
            }
          }
        });
  }

  @Test
  void laterNeverAllowsLess() {
    Seeds.forEach(
        150,
        random -> {
          History history = new History(random, true);
          for (int i = 0; i < STEPS; i++) {
            history.step();
            BudgetState state = history.driven.state;
            Instant now = history.clock.instant();
            int most = 0;
            for (int k = 0; k < 5; k++) {
              Decision later = Budget.ask(state, history.driven.settings, now).decision();
              int allowed = later instanceof Decision.Admit admit ? admit.most() : 0;
              assertThat(allowed)
                  .as("%s at %s of %s", later, now, state)
                  .isGreaterThanOrEqualTo(most);
              most = allowed;
              now = now.plusMillis(random.nextInt(2_000));
            }
          }
        });
  }

  @Test
  void noStateBlocksForEver() {
    Seeds.forEach(
        150,
        random -> {
          History history = new History(random, true);
          for (int i = 0; i < STEPS; i++) {
            history.step();
          }
          if (random.nextBoolean()) {
            history.clock.advance(Duration.ofHours(random.nextInt(-48, 480)));
          }
          while (!history.out.isEmpty()) {
            history.feedOne();
          }
          Instant deadline = history.clock.instant().plus(Duration.ofMinutes(5));
          while (history.driven.ask() instanceof Decision.Wait wait) {
            assertThat(wait.until()).isBefore(deadline);
            history.clock.set(wait.until());
          }
          assertThat(history.driven.ask()).isInstanceOf(Decision.Admit.class);
        });
  }

  @Test
  void aStateThatIsStoredAndReadDecidesTheSame() {
    Seeds.forEach(
        150,
        random -> {
          History history = new History(random, true);
          for (int i = 0; i < STEPS; i++) {
            history.step();
            BudgetState stored = BudgetState.decode(history.driven.state.encode());
            assertThat(stored.encode()).isEqualTo(history.driven.state.encode());
            Instant now = history.clock.instant().plusMillis(random.nextInt(1_000));
            assertThat(Budget.ask(stored, history.driven.settings, now).decision())
                .isEqualTo(
                    Budget.ask(history.driven.state, history.driven.settings, now).decision());
          }
        });
  }
}
