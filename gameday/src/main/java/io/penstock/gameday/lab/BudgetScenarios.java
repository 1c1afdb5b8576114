package io.penstock.gameday.lab;

import io.penstock.budget.BudgetSettings;
import io.penstock.gameday.report.Report;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * The scenarios of {@code sim budget}. Every one runs with several seeds, which move the phase of
 * the windows, the round trips and the jitter; medians are reported.
 */
final class BudgetScenarios {
  static final double CEILING = 600;

  private static final int SLOTS = 128;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final double ROUND_TRIP_SECONDS = 0.05;
  private static final int SECONDS = 120;
  private static final int FROM = 30;
  private static final long WINDOW = Timeline.SECOND;
  private static final long LONG_WINDOW = 10 * Timeline.SECOND;

  private final Report report;
  private final long firstSeed;
  private final int seeds;

  BudgetScenarios(Report report, long firstSeed, int seeds) {
    this.report = report;
    this.firstSeed = firstSeed;
    this.seeds = seeds;
  }

  /** A limiter that is made anew for every seed. */
  private interface Make extends Function<RandomGenerator, Limiter> {}

  private static long phase(RandomGenerator random) {
    return random.nextLong(LONG_WINDOW);
  }

  private static Make make(String kind, double limit) {
    return switch (kind) {
      case "fixed" -> random -> Limiter.fixed(_ -> limit, WINDOW, phase(random));
      case "sliding" -> _ -> Limiter.sliding(_ -> limit, WINDOW);
      case "bucket" -> _ -> Limiter.bucket(_ -> limit, Math.min(20, limit));
      case "fixed_10s" -> random -> Limiter.fixed(_ -> limit, LONG_WINDOW, phase(random));
      case "sliding_10s" -> _ -> Limiter.sliding(_ -> limit, LONG_WINDOW);
      case "retry_after" ->
          random -> Limiter.fixedWithRetryAfter(_ -> limit, WINDOW, phase(random));
      case "retry_after_10s" ->
          random -> Limiter.fixedWithRetryAfter(_ -> limit, LONG_WINDOW, phase(random));
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private Course[] courses(Make make, int seconds, double roundTrip) {
    return courses(make, seconds, roundTrip, seed -> budget(CEILING, seed));
  }

  private Course[] courses(
      Make make, int seconds, double roundTrip, Function<Long, Sender> sender) {
    Course[] courses = new Course[seeds];
    for (int i = 0; i < seeds; i++) {
      long seed = firstSeed + i;
      RandomGenerator random = new Random(seed * 0x9E3779B97F4A7C15L);
      Limiter limiter = make.apply(random);
      courses[i] =
          new Course(sender.apply(seed), limiter, random, roundTrip, TIMEOUT, seconds).run();
    }
    return courses;
  }

  private static Sender budget(double ceiling, long seed) {
    int burst = (int) Math.max(1, ceiling);
    return new BudgetSender(
        new BudgetSettings(ceiling, burst, SLOTS, TIMEOUT), seed, new Timeline().instant());
  }

  private static double median(Course[] courses, ToDoubleFunction<Course> figure) {
    return quantile(courses, figure, 0.5);
  }

  private static double worst(Course[] courses, ToDoubleFunction<Course> figure) {
    return quantile(courses, figure, 1);
  }

  /** Of sorted figures; what never happened (NaN) sorts last. */
  private static double quantile(Course[] courses, ToDoubleFunction<Course> figure, double q) {
    double[] sorted = Arrays.stream(courses).mapToDouble(figure).sorted().toArray();
    return sorted[(int) Math.round(q * (sorted.length - 1))];
  }

  private static double percent(double share) {
    return 100 * share;
  }

  private static String name(String kind, double limit) {
    return String.format(Locale.ROOT, "%s_%.0f", kind, limit);
  }

  /** Share of the limit, share of 429s and time to find it, as figures. */
  private Course[] figures(String name, Course[] courses, double limit) {
    report.figure(name + ".share_percent", percent(share(courses, limit)));
    report.figure(name + ".refused_percent", percent(refused(courses)));
    report.figure(name + ".found_s", median(courses, course -> course.foundAfter(limit, 0)));
    return courses;
  }

  private static double share(Course[] courses, double limit) {
    return median(courses, course -> course.acceptedPerSecond(FROM, SECONDS) / limit);
  }

  private static double refused(Course[] courses) {
    return median(courses, course -> course.refusedShare(FROM, SECONDS));
  }

  /** Windows of a second at 60, 200 and 450/s. */
  void unknownLimits() {
    for (String kind : List.of("fixed", "sliding", "bucket")) {
      for (double limit : new double[] {60, 200, 450}) {
        String name = name(kind, limit);
        Course[] runs =
            figures(name, courses(make(kind, limit), SECONDS, ROUND_TRIP_SECONDS), limit);
        double wanted = limit < 100 ? 92 : 95;
        report.atLeast(name + " share", percent(share(runs, limit)), wanted, "%");
        report.atMost(name + " 429s", percent(refused(runs)), 1, "%");
        report.atMost(name + " found", median(runs, run -> run.foundAfter(limit, 0)), 6, "s");
      }
    }
  }

  /** 5/s, and 1 per 10 s with and without Retry-After. */
  void slowLimits() {
    for (String kind : List.of("fixed", "sliding", "bucket")) {
      String name = name(kind, 5);
      Course[] runs = figures(name, courses(make(kind, 5), SECONDS, ROUND_TRIP_SECONDS), 5);
      report.atLeast(name + " share", percent(share(runs, 5)), 80, "%");
      report.atMost(name + " 429s", percent(refused(runs)), 3, "%");
    }
    int seconds = 300;
    Course[] told = courses(make("retry_after_10s", 0.1), seconds, ROUND_TRIP_SECONDS);
    double sends =
        median(told, run -> 1 + (double) run.refused(FROM, seconds) / run.accepted(FROM, seconds));
    report.figure("one_per_10s_retry_after.sends_per_accepted", sends);
    report.atMost("1 per 10 s with Retry-After, sends per accepted one", sends, 2, "");
    Course[] untold = courses(make("fixed_10s", 0.1), seconds, ROUND_TRIP_SECONDS);
    double perSecond = worst(untold, run -> (double) run.refused(FROM, seconds) / (seconds - FROM));
    double accepted = median(untold, run -> run.accepted(seconds / 2, seconds));
    report.figure("one_per_10s.refused_per_second", perSecond);
    report.figure("one_per_10s.accepted_in_last_150_s", accepted);
    report.atMost("1 per 10 s without Retry-After, 429s", perSecond, 1, "per second");
    report.atLeast("1 per 10 s without Retry-After, accepted in the last 150 s", accepted, 1, "");
  }

  /** Windows of ten seconds: measured, with the bar of the reference figures of control.md. */
  void longWindows() {
    for (String kind : List.of("fixed_10s", "sliding_10s", "retry_after", "retry_after_10s")) {
      for (double limit : new double[] {5, 60, 200, 450}) {
        figures(name(kind, limit), courses(make(kind, limit), SECONDS, ROUND_TRIP_SECONDS), limit);
      }
    }
  }

  /** Limits that move, are shared, ban, count what is in flight, or lie; slow round trips. */
  void others() {
    figures(
        "moving_200_to_400_and_back",
        courses(
            _ -> Limiter.sliding(now -> now % 40_000_000 < 20_000_000 ? 200 : 400, WINDOW),
            SECONDS,
            ROUND_TRIP_SECONDS),
        300);
    figures(
        "shared_200_with_others",
        courses(
            random ->
                Limiter.shared(200, 0.5, random, Limiter.fixed(_ -> 200, WINDOW, phase(random))),
            SECONDS,
            ROUND_TRIP_SECONDS),
        150);
    figures(
        "waf_bans_for_30s_200",
        courses(
            random ->
                Limiter.banning(
                    20, Duration.ofSeconds(30), Limiter.fixed(_ -> 200, WINDOW, phase(random))),
            SECONDS,
            ROUND_TRIP_SECONDS),
        200);
    figures("slow_round_trips_200", courses(make("sliding", 200), SECONDS, 0.5), 200);
    Course[] few = courses(_ -> Limiter.inFlight(8), SECONDS, ROUND_TRIP_SECONDS);
    report.figure(
        "eight_in_flight.accepted_per_second",
        median(few, run -> run.acceptedPerSecond(FROM, SECONDS)));
    report.figure("eight_in_flight.refused_percent", percent(refused(few)));
    for (int lie : new int[] {0, 3_600}) {
      Course[] lies = courses(random -> lying(random, lie), SECONDS, ROUND_TRIP_SECONDS);
      report.figure(
          "retry_after_lies_" + lie + "_s.refused_per_second",
          median(lies, run -> (double) run.refused(FROM, SECONDS) / (SECONDS - FROM)));
      report.figure(
          "retry_after_lies_" + lie + "_s.accepted_per_second",
          median(lies, run -> run.acceptedPerSecond(FROM, SECONDS)));
    }
  }

  /** Says the same Retry-After whatever its window is. */
  private static Limiter lying(RandomGenerator random, int seconds) {
    Limiter inner = Limiter.fixed(_ -> 200, WINDOW, phase(random));
    return now -> {
      Limiter.Verdict verdict = inner.arrives(now);
      return verdict.accepted() || seconds == 0
          ? verdict
          : Limiter.Verdict.refusedFor(Duration.ofSeconds(seconds));
    };
  }

  /** A wall of two minutes that begins after 60 s, below an accepted 500/s. */
  void walls() {
    wall("wall", Limiter.Verdict.REFUSED);
    wall("wall_with_retry_after", Limiter.Verdict.refusedFor(Duration.ofSeconds(5)));
    wall("wall_of_time_outs", new Limiter.Verdict(0, null));
  }

  private void wall(String name, Limiter.Verdict during) {
    int begins = 60;
    int ends = 180;
    double accepted = 500;
    Course[] runs =
        courses(
            _ ->
                Limiter.wall(
                    begins * Timeline.SECOND,
                    ends * Timeline.SECOND,
                    during,
                    _ -> Limiter.Verdict.ACCEPTED),
            240,
            ROUND_TRIP_SECONDS,
            seed -> budget(accepted, seed));
    double halved = worst(runs, Course::secondsToHalve);
    double parked = worst(runs, run -> run.parkedAt() - begins);
    double back = worst(runs, run -> run.reaches(0.95 * accepted, ends));
    report.figure(name + ".halved_after_first_refusal_s", halved);
    report.figure(name + ".parked_s", parked);
    report.figure(name + ".back_at_95_percent_s", back);
    report.figure(name + ".refused", median(runs, run -> run.refused(begins, ends)));
    if (during.status() == 429) {
      report.atMost(name + " halved after the first fresh 429", halved, 0.001, "s");
      report.bar(name + " parked", "below 8 s", parked + " s", parked < 8);
      report.bar(name + " back at 95 %", "below 10 s", back + " s", back < 10);
    }
  }

  /** A limit that is lifted in ten random phases of the hold. */
  void lifted() {
    double[] took = new double[10];
    for (int i = 0; i < took.length; i++) {
      RandomGenerator random = new Random((firstSeed + 100 + i) * 0x9E3779B97F4A7C15L);
      int at = 60 + random.nextInt(40);
      long phase = phase(random);
      Limiter limited = Limiter.fixed(_ -> 200, WINDOW, phase);
      Limiter limiter =
          now -> now < at * Timeline.SECOND ? limited.arrives(now) : Limiter.Verdict.ACCEPTED;
      Course run =
          new Course(
                  budget(CEILING, firstSeed + i),
                  limiter,
                  random,
                  ROUND_TRIP_SECONDS,
                  TIMEOUT,
                  at + 60)
              .run();
      took[i] = run.rateReaches(0.95 * CEILING, at);
    }
    Arrays.sort(took);
    double middle = (took[4] + took[5]) / 2;
    report.figure("lifted.median_s", middle).figure("lifted.worst_s", took[9]);
    report.atMost("lifted limit, 95 % of the ceiling, median", middle, 20, "s");
    report.atMost("lifted limit, 95 % of the ceiling, worst", took[9], 35, "s");
  }

  /** What others do, under the limits of the table in control.md. */
  void comparison() {
    for (String kind : List.of("fixed", "sliding", "bucket", "fixed_10s")) {
      compare("aimd_per_answer", kind, _ -> new AimdSender(CEILING, 0));
      compare("aimd_once_a_second", kind, _ -> new AimdSender(CEILING, Timeline.SECOND));
      compare("cubic", kind, _ -> new CubicSender(CEILING));
    }
  }

  private void compare(String rule, String kind, Function<Long, Sender> sender) {
    double limit = 200;
    figures(
        rule + "." + name(kind, limit),
        courses(make(kind, limit), SECONDS, ROUND_TRIP_SECONDS, sender),
        limit);
  }
}
