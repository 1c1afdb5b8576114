package io.penstock.gameday.lab;

import io.penstock.budget.work.WorkSettings;
import io.penstock.gameday.report.Report;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The scenarios of {@code sim tubes}: the table of policies over {@link TubeStory}, shares against
 * allotments, and a mean that jumps.
 */
final class TubesScenarios {
  static final int WORKERS = TubeStory.WORKERS;
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
  record Policy(String name, boolean gated, int bankedSeconds, boolean cap, boolean lends) {
    Tube tube(String tube, double allotment, double expected) {
      Duration capacity = Duration.ofMillis((long) (allotment * bankedSeconds * 1_000));
      WorkSettings settings =
          WorkSettings.of(allotment, Duration.ofMillis((long) (expected * 1_000)))
              .withCapacity(capacity)
              .withConcurrency(cap ? 0 : UNCAPPED);
      return new Tube(tube, settings, gated, Pool.start());
    }
  }

  static final Policy RULE = new Policy("rule", true, TubeStory.BANKED_SECONDS, true, false);

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
      TubeStory.Told told = told(policy, HOURS, seed);
      report.figure(policy.name() + ".hourly_batch_p50_s", told.hourlyBatchP50());
      report.figure(policy.name() + ".small_batch_p95_s", told.smallBatchP95());
      report.figure(policy.name() + ".interactive_wait_p95_s", told.interactiveWaitP95());
      if (policy.equals(RULE)) {
        report.atMost(
            "small batch p95", told.smallBatchP95(), TubeStory.SMALL_BATCH_P95_SECONDS, "s");
        report.atMost(
            "interactive wait p95",
            told.interactiveWaitP95(),
            TubeStory.INTERACTIVE_WAIT_P95_SECONDS,
            "s");
      }
      if (!policy.gated()) {
        report.bar(
            "counting requests starves the small batch",
            "over 3600 s",
            Math.round(told.smallBatchP95()) + " s",
            told.smallBatchP95() > HOUR);
      }
    }
  }

  /** One story under one policy. */
  static TubeStory.Told told(Policy policy, int hours, long seed) {
    Map<TubeStory.Part, Tube> tubes = new LinkedHashMap<>();
    for (TubeStory.Part part : TubeStory.PARTS) {
      tubes.put(part, policy.tube(part.name(), part.allotment(), part.jobSeconds()));
    }
    Pool pool = new Pool(List.copyOf(tubes.values()), WORKERS, policy.lends());
    for (TubeStory.Arrival arrival : TubeStory.arrivals(hours, seed)) {
      TubeStory.Part part = arrival.part();
      Tube tube = Objects.requireNonNull(tubes.get(part));
      pool.arrives(arrival.second() * Timeline.SECOND, tube, arrival.count(), part.jobSeconds());
    }
    pool.run((long) hours * HOUR);
    return new TubeStory.Told(
        TubeStory.quantile(of(tubes, TubeStory.HOURLY).batchTimes, 0.5),
        TubeStory.quantile(of(tubes, TubeStory.SMALL).batchTimes, 0.95),
        TubeStory.quantile(of(tubes, TubeStory.INTERACTIVE).waits, 0.95));
  }

  private static Tube of(Map<TubeStory.Part, Tube> tubes, TubeStory.Part part) {
    return Objects.requireNonNull(tubes.get(part));
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
