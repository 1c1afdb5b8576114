package io.penstock.engine.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.recurring.ClockChange.Gap;
import io.penstock.engine.recurring.ClockChange.Repeat;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecurrenceTest {

  private static List<Instant> some(Recurrence recurrence, Instant after, int count) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = recurrence.next(after);
    while (next.isPresent() && found.size() < count) {
      found.add(next.get());
      next = recurrence.next(next.get());
    }
    return found;
  }

  private static Recurrence.Cron cron(String text, String zone, @Nullable ClockChange change) {
    return Recurrence.Cron.of(text, ZoneId.of(zone), change);
  }

  @ParameterizedTest(name = "{0} in {1} after {2} is {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        // Ordinary days.
        "30 2 * * *      | Europe/Berlin    | 2026-01-10T00:00+01:00 | 2026-01-10T02:30+01:00",
        "30 2 * * *      | Europe/Berlin    | 2026-01-10T02:30+01:00 | 2026-01-11T02:30+01:00",
        "0 9 * * mon-fri | America/New_York | 2026-07-03T09:00-04:00 | 2026-07-06T09:00-04:00",
        "0 0 29 2 *      | UTC              | 2026-01-01T00:00Z      | 2028-02-29T00:00Z",
        // Both days restricted: either will do, as crontab has it.
        "0 0 13 * 5      | UTC              | 2026-01-09T00:00Z      | 2026-01-13T00:00Z",
        // Set forward over 02:30: at the first moment after the gap, then as ever.
        "30 2 * * *      | Europe/Berlin    | 2026-03-28T12:00+01:00 | 2026-03-29T03:00+02:00",
        "30 2 * * *      | Europe/Berlin    | 2026-03-29T03:00+02:00 | 2026-03-30T02:30+02:00",
        "30 2 * * *      | America/New_York | 2026-03-07T12:00-05:00 | 2026-03-08T03:00-04:00",
        // The ends of the gap: 02:00 is in it, 03:00 is not.
        "0 2 * * *       | Europe/Berlin    | 2026-03-29T00:00+01:00 | 2026-03-29T03:00+02:00",
        "0 3 * * *       | Europe/Berlin    | 2026-03-29T00:00+01:00 | 2026-03-29T03:00+02:00",
        "0 3 * * *       | Europe/Berlin    | 2026-03-29T03:00+02:00 | 2026-03-30T03:00+02:00",
        // Set back over 02:30: the first of the two.
        "30 2 * * *      | Europe/Berlin    | 2026-10-25T00:00+02:00 | 2026-10-25T02:30+02:00",
        "30 2 * * *      | Europe/Berlin    | 2026-10-25T02:30+02:00 | 2026-10-26T02:30+01:00",
        "30 1 * * *      | America/New_York | 2026-11-01T00:00-04:00 | 2026-11-01T01:30-04:00",
        "30 1 * * *      | America/New_York | 2026-11-01T01:30-04:00 | 2026-11-02T01:30-05:00",
        // The ends of what repeats: 02:00 comes twice, 03:00 once.
        "0 2 * * *       | Europe/Berlin    | 2026-10-25T00:00+02:00 | 2026-10-25T02:00+02:00",
        "0 2 * * *       | Europe/Berlin    | 2026-10-25T02:00+02:00 | 2026-10-26T02:00+01:00",
        "0 3 * * *       | Europe/Berlin    | 2026-10-25T00:00+02:00 | 2026-10-25T03:00+01:00",
        // Every hour goes on as if nothing had been moved.
        "30 * * * *      | Europe/Berlin    | 2026-03-29T01:30+01:00 | 2026-03-29T03:30+02:00",
        "30 * * * *      | Europe/Berlin    | 2026-10-25T02:30+02:00 | 2026-10-25T02:30+01:00",
        "30 * * * *      | Europe/Berlin    | 2026-10-25T02:30+01:00 | 2026-10-25T03:30+01:00",
        "*/15 * * * *    | Europe/Berlin    | 2026-03-29T01:45+01:00 | 2026-03-29T03:00+02:00",
        "*/15 * * * *    | Europe/Berlin    | 2026-10-25T02:45+02:00 | 2026-10-25T02:00+01:00",
        // Half an hour: Lord Howe goes from +10:30 to +11 and back.
        "15 2 * * *      | Australia/Lord_Howe | 2026-10-04T00:00+10:30 | 2026-10-04T02:30+11:00",
        "45 2 * * *      | Australia/Lord_Howe | 2026-10-04T00:00+10:30 | 2026-10-04T02:45+11:00",
        "45 1 * * *      | Australia/Lord_Howe | 2026-04-05T00:00+11:00 | 2026-04-05T01:45+11:00",
        "45 1 * * *      | Australia/Lord_Howe | 2026-04-05T01:45+11:00 | 2026-04-06T01:45+10:30",
        "45 * * * *      | Australia/Lord_Howe | 2026-04-05T01:45+11:00 | 2026-04-05T01:45+10:30",
        // A day that was left out: Apia had no 30 December 2011.
        "0 9 * * *       | Pacific/Apia     | 2011-12-29T09:00-10:00 | 2011-12-31T00:00+14:00",
        "0 9 * * *       | Pacific/Apia     | 2011-12-31T00:00+14:00 | 2011-12-31T09:00+14:00",
        "0 9 30 12 *     | Pacific/Apia     | 2011-01-01T00:00-10:00 | 2011-12-31T00:00+14:00",
        "0 9 31 12 *     | Pacific/Apia     | 2011-12-29T00:00-10:00 | 2011-12-31T09:00+14:00",
        // Midnight itself is skipped: Beirut goes from 00:00 to 01:00.
        "0 0 * * *       | Asia/Beirut      | 2026-03-28T12:00+02:00 | 2026-03-29T01:00+03:00"
      })
  @DisplayName("case 54: by default a set hour comes once on every day, and every hour every hour")
  void the_next_instant_of_a_cron_expression(
      String text, String zone, ZonedDateTime after, ZonedDateTime next) {
    assertThat(cron(text, zone, null).next(after.toInstant())).contains(next.toInstant());
  }

  @ParameterizedTest(name = "{0} in {1} with {2} and {3} after {4} is {5}")
  @CsvSource(
      delimiter = '|',
      value = {
        "30 2 * * * | Europe/Berlin | SKIP  | FIRST  | 2026-03-28T12:00Z      | 2026-03-30T02:30+02:00",
        "30 2 * * * | Europe/Berlin | AFTER | SECOND | 2026-10-25T00:00+02:00 | 2026-10-25T02:30+01:00",
        "30 2 * * * | Europe/Berlin | AFTER | SECOND | 2026-10-25T02:30+01:00 | 2026-10-26T02:30+01:00",
        "30 2 * * * | Europe/Berlin | AFTER | BOTH   | 2026-10-25T00:00+02:00 | 2026-10-25T02:30+02:00",
        "30 2 * * * | Europe/Berlin | AFTER | BOTH   | 2026-10-25T02:30+02:00 | 2026-10-25T02:30+01:00",
        "30 2 * * * | Europe/Berlin | AFTER | BOTH   | 2026-10-25T02:30+01:00 | 2026-10-26T02:30+01:00",
        "30 * * * * | Europe/Berlin | AFTER | FIRST  | 2026-10-25T02:30+02:00 | 2026-10-25T03:30+01:00",
        "30 * * * * | Europe/Berlin | AFTER | FIRST  | 2026-03-29T01:30+01:00 | 2026-03-29T03:00+02:00",
        // All that a gap swallows comes once.
        "*/10 2 * * * | Europe/Berlin | AFTER | FIRST | 2026-03-29T00:00+01:00 | 2026-03-29T03:00+02:00",
        "*/10 2 * * * | Europe/Berlin | AFTER | FIRST | 2026-03-29T03:00+02:00 | 2026-03-30T02:00+02:00",
        "0 9 * * *  | Pacific/Apia  | SKIP  | FIRST  | 2011-12-29T09:00-10:00 | 2011-12-31T09:00+14:00",
        "0 9 30 12 * | Pacific/Apia | SKIP  | FIRST  | 2011-01-01T00:00-10:00 | 2012-12-30T09:00+14:00"
      })
  @DisplayName("case 54: the policy for a day with a clock change is named")
  void a_policy_that_was_chosen(
      String text, String zone, Gap gap, Repeat repeat, ZonedDateTime after, ZonedDateTime next) {
    assertThat(cron(text, zone, new ClockChange(gap, repeat)).next(after.toInstant()))
        .contains(next.toInstant());
  }

  @Test
  void a_set_hour_comes_once_on_each_day_of_forty_years_wherever() {
    for (String zone :
        List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca")) {
      Recurrence.Cron cron = cron("30 2 * * *", zone, null);
      ZoneId id = ZoneId.of(zone);
      Instant from = Instant.parse("2000-01-01T12:00:00Z");
      List<Instant> all = some(cron, from, 40 * 365);
      for (int i = 1; i < all.size(); i++) {
        assertThat(all.get(i).atZone(id).toLocalDate())
            .isEqualTo(all.get(i - 1).atZone(id).toLocalDate().plusDays(1));
      }
    }
  }

  @Test
  void the_next_instant_is_the_same_from_anywhere_before_it() {
    SplittableRandom random = new SplittableRandom(79);
    List<String> texts = List.of("*/7 1-3 * * *", "30 2 * * *", "0 * * * *", "15,45 */2 1-7 * 0");
    for (int i = 0; i < 2_000; i++) {
      Gap gap = List.of(Gap.values()).get(random.nextInt(2));
      Repeat repeat = List.of(Repeat.values()).get(random.nextInt(3));
      Recurrence.Cron cron =
          cron(
              texts.get(random.nextInt(texts.size())),
              random.nextBoolean() ? "Europe/Berlin" : "Australia/Lord_Howe",
              new ClockChange(gap, repeat));
      Instant near =
          Instant.parse(random.nextBoolean() ? "2026-03-29T00:00:00Z" : "2026-04-04T14:00:00Z");
      Instant from = near.plusSeconds(random.nextInt(-20_000, 20_000));
      Instant next = cron.next(from).orElseThrow();
      Instant between = from.plusSeconds(random.nextLong(Duration.between(from, next).toSeconds()));
      assertThat(next).isAfter(from);
      assertThat(cron.next(between)).as("%s %s %s %s", cron, i, from, between).contains(next);
    }
  }

  @Test
  void an_interval_counts_from_its_start_whatever_the_walls_say() {
    Instant from = Instant.parse("2026-03-28T12:00:00Z");
    Recurrence every = new Recurrence.Every(Duration.ofHours(24), from);
    assertThat(every.next(from.minusSeconds(9))).contains(from);
    assertThat(every.next(from)).contains(from.plus(Duration.ofDays(1)));
    assertThat(every.next(from.plusMillis(1))).contains(from.plus(Duration.ofDays(1)));
    assertThat(every.next(from.plus(Duration.ofDays(9)))).contains(from.plus(Duration.ofDays(10)));
  }

  @Test
  @DisplayName("case 53: a thousand schedules made together do not come together")
  void intervals_without_a_start_are_spread() {
    Instant now = Instant.parse("2026-11-30T12:00:00Z");
    int[] perSecond = new int[60];
    for (int i = 0; i < 6_000; i++) {
      Recurrence.Every every = Recurrence.Every.spread(Duration.ofMinutes(1), "sch_" + i);
      Instant next = every.next(now).orElseThrow();
      perSecond[(int) (next.getEpochSecond() % 60)]++;
      assertThat(every).isEqualTo(Recurrence.Every.spread(Duration.ofMinutes(1), "sch_" + i));
    }
    for (int count : perSecond) {
      assertThat(count).isBetween(60, 150);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "60 * * * *",
        "* * * *",
        "* * * * * *",
        "0 0 31 2 *",
        "@daily",
        "0 0 L * *",
        "*/0 * * * *",
        "a b c d e",
        "* * * * 'x'",
        "0 25 * * *",
        "0 0 0 * *"
      })
  void what_is_no_expression_is_refused(String text) {
    assertThatThrownBy(() -> CronExpression.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).{10,}");
  }

  @Test
  void bounds_of_intervals() {
    assertThatThrownBy(() -> new Recurrence.Every(Duration.ofMillis(999), Instant.EPOCH))
        .hasMessageContaining("1 s to 366 days");
    assertThatThrownBy(() -> new Recurrence.Every(Duration.ofDays(367), Instant.EPOCH))
        .hasMessageContaining("1 s to 366 days");
  }
}
