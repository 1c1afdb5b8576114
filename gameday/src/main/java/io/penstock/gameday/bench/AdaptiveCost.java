package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Stand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Throughput with the adaptive part on against off, in turns. */
final class AdaptiveCost {
  /** Of the throughput without it, at least so much. */
  private static final double LEAST_SHARE = 0.9;

  private static final int ROUNDS = 3;
  private static final int DESTINATIONS = 1_000;
  private static final String OFF = ThroughputBench.UNLIMITED + "  adaptive: off\n";
  private static final String PREFIX = "many-";

  private AdaptiveCost() {}

  static void measure(Path folder, int seconds, BenchOptions options, Report report)
      throws Exception {
    Duration each = Duration.ofSeconds(Math.clamp(seconds / (4L * ROUNDS), 3, 20));
    double[] on = new double[ROUNDS];
    double[] off = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      options.progress("throughput, round %d of %d".formatted(round + 1, ROUNDS));
      on[round] =
          sustained(
              folder.resolve("on-" + round), ThroughputBench.UNLIMITED, each, options, report);
      off[round] = sustained(folder.resolve("off-" + round), OFF, each, options, report);
    }
    report.figure("throughput_on_per_second", median(on));
    report.figure("throughput_off_per_second", median(off));
    report.setting("throughput_seconds_each", each.toSeconds()).setting("rounds", ROUNDS);
    report.atLeast(
        "throughput with adaptive on", median(on), LEAST_SHARE * median(off), "deliveries/s");
  }

  private static double sustained(
      Path folder, String limits, Duration howLong, BenchOptions options, Report report)
      throws Exception {
    try (Stand stand = Stand.withOwnPostgres(folder, limits)) {
      Stand.Receiving receiver = stand.startReceiver(null);
      stand.set("PENSTOCK_NODE_SLOTS", "1000");
      stand.startServer();
      stand.makeDestinations(PREFIX, DESTINATIONS, receiver.url() + "/");
      Stand.Loading load =
          stand.startLoad(
              List.of(
                  "--receiver=" + receiver.url(),
                  "--prefix=" + PREFIX,
                  "--destinations=" + DESTINATIONS,
                  "--events=" + Long.MAX_VALUE / 2,
                  "--log=" + folder.resolve("posts")));
      WarmUp.await(stand, options, report);
      long before = receiver.count();
      long begin = Stand.nanos();
      Stand.passTime(howLong);
      double perSecond = (receiver.count() - before) / ((Stand.nanos() - begin) / 1e9);
      load.stop();
      return perSecond;
    }
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
