package io.penstock.gameday.lab;

import io.penstock.budget.work.WorkSettings;
import io.penstock.gameday.report.Report;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The scenarios of {@code sim tubes}: the table of policies over a pool of three workers (an hourly
 * batch of 40 × 30 s, a small batch of 12 × 10 s, an interactive job a minute, endless jobs of 30
 * minutes), shares against allotments, and a mean that jumps.
 */
final class TubesScenarios {
  static final int WORKERS = 3;
  static final int HOURS = 48;

  private static final int HOUR = 3_600;
  private static final int UNCAPPED = 100;

  private final Report report;
  private final long seed;

  TubesScenarios(Report report, long seed) {
    this.report = report;
    this.seed = seed;
  }

  /** How the tubes of one run are gated: how much is banked, the cap on what runs, and lending. */
  private record Policy(String name, boolean gated, int bankedSeconds, boolean cap, boolean lends) {
    Tube tube(String tube, double allotment, double expected) {
      Duration capacity = Duration.ofMillis((long) (allotment * bankedSeconds * 1_000));
      WorkSettings settings =
          WorkSettings.of(allotment, Duration.ofMillis((long) (expected * 1_000)))
              .withCapacity(capacity)
              .withConcurrency(cap ? 0 : UNCAPPED);
      return new Tube(tube, settings, gated, Pool.start());
    }
  }

  private static final Policy RULE = new Policy("rule", true, 900, true, false);

  private static final List<Policy> POLICIES =
      List.of(
          new Policy("count_requests", false, 900, false, false),
          new Policy("bank_60_s", true, 60, false, false),
          new Policy("bank_900_s_no_cap", true, 900, false, false),
          new Policy("bank_3600_s", true, 3_600, false, false),
          RULE,
          new Policy("rule_with_lending", true, 900, true, true));

  /** The table. */
  void policies() {
    for (Policy policy : POLICIES) {
      Tube hourly = policy.tube("hourly", 0.35, 30);
      Tube small = policy.tube("small", 0.2, 10);
      Tube interactive = policy.tube("interactive", 0.25, 5);
      Tube endless = policy.tube("endless", 1.3, 1_800);
      Pool pool = new Pool(List.of(hourly, small, interactive, endless), WORKERS, policy.lends());
      RandomGenerator random = new Random(seed);
      for (long hour = 0; hour < HOURS; hour++) {
        pool.arrives(hour * HOUR * Timeline.SECOND, hourly, 40, 30);
        long at = (hour * HOUR + random.nextInt(HOUR)) * Timeline.SECOND;
        pool.arrives(at, small, 12, 10);
        pool.arrives(hour * HOUR * Timeline.SECOND, endless, 2 * WORKERS, 1_800);
        for (int minute = 0; minute < 60; minute++) {
          long second = hour * HOUR + minute * 60L + random.nextInt(60);
          pool.arrives(second * Timeline.SECOND, interactive, 1, 5);
        }
      }
      pool.run(HOURS * HOUR);
      double batch = quantile(hourly.batchTimes, 0.5);
      double smallBatch = quantile(small.batchTimes, 0.95);
      double wait = quantile(interactive.waits, 0.95);
      report.figure(policy.name() + ".hourly_batch_p50_s", batch);
      report.figure(policy.name() + ".small_batch_p95_s", smallBatch);
      report.figure(policy.name() + ".interactive_wait_p95_s", wait);
      if (policy.equals(RULE)) {
        report.atMost("small batch p95", smallBatch, 190, "s");
        report.atMost("interactive wait p95", wait, 80, "s");
      }
      if (!policy.gated()) {
        report.bar(
            "counting requests starves the small batch",
            "over 3600 s",
            Math.round(smallBatch) + " s",
            smallBatch > HOUR);
      }
    }
  }

  private static double quantile(List<Double> values, double q) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0
        ? Double.POSITIVE_INFINITY
        : sorted[(int) Math.min(sorted.length - 1, Math.round(q * (sorted.length - 1)))];
  }

  /** Always something to do everywhere: who gets how much, against what was allotted. */
  void shares() {
    double[] allotments = {0.1, 0.35, 0.5, 1.0};
    double[] lengths = {1_800, 34, 1, 120};
    Tube[] tubes = new Tube[allotments.length];
    for (int i = 0; i < tubes.length; i++) {
      tubes[i] = RULE.tube("tube" + i, allotments[i], lengths[i]);
    }
    Pool pool = new Pool(List.of(tubes), WORKERS, false);
    int hours = 10 * HOURS;
    for (int i = 0; i < tubes.length; i++) {
      int enough = (int) Math.ceil(2 * allotments[i] * hours * HOUR / lengths[i]);
      pool.arrives(0, tubes[i], enough, lengths[i]);
    }
    pool.run(hours * (long) HOUR);
    for (int i = 0; i < tubes.length; i++) {
      double wanted = allotments[i] * hours * HOUR;
      double bound = allotments[i] * 900 + WORKERS * lengths[i];
      double off = Math.abs(tubes[i].workedSeconds - wanted);
      String name =
          "share of a tube of %s with jobs of %.0f s".formatted(allotments[i], lengths[i]);
      report.figure(
          "share.allotment_%s.got_workers".formatted(allotments[i]),
          tubes[i].workedSeconds / (hours * HOUR));
      report.atMost(name + ", off by", off, 0.03 * wanted + bound, "worker-seconds");
    }
  }

  /** Jobs of a second become jobs of ten minutes. */
  void aMeanThatJumps() {
    Tube tube = RULE.tube("jumping", 2, 1);
    Pool pool = new Pool(List.of(tube), 50, false);
    for (long second = 0; second < 4 * HOUR; second++) {
      pool.arrives(second * Timeline.SECOND, tube, 1, second < 2 * HOUR ? 1 : 600);
    }
    pool.run(4 * HOUR);
    report.figure("jump_from_1_s_to_10_min.most_running", tube.mostRunning);
    report.atMost("a mean that jumps from 1 s to 10 min, running", tube.mostRunning, 2, "jobs");
  }
}
