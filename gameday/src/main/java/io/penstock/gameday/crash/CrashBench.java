package io.penstock.gameday.crash;

import io.penstock.gameday.bench.BenchOptions;
import io.penstock.gameday.report.Report;
import java.io.IOException;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Any number of crash rounds. */
@Command(
    name = "crash",
    description = {
      "Kills server and postmaster in the middle of traffic, round after round, and proves that",
      "nothing accepted is lost and nothing is repeated but what was under way."
    },
    mixinStandardHelpOptions = true)
public final class CrashBench implements Callable<Integer> {
  @Option(names = "--rounds", defaultValue = "20", description = "How many strikes.")
  private int rounds;

  @Option(names = "--seed", defaultValue = "1", description = "Decides the moments of the strikes.")
  private long seed;

  @Mixin private BenchOptions options = new BenchOptions();

  @Override
  public Integer call() throws IOException, InterruptedException, SQLException {
    CrashRounds.Outcome outcome =
        CrashRounds.run(options.folder("crash"), rounds, new SplittableRandom(seed));
    Report report =
        new Report("crash")
            .figure("accepted_events", outcome.accepted())
            .figure("receipts", outcome.receipts())
            .figure("under_way_at_strikes_events", outcome.underWay())
            .figure("repeated_events", outcome.repeated())
            .figure("timed_out_events", outcome.timedOut())
            .figure("longest_back_ms", outcome.longestBack().toMillis())
            .setting("rounds", rounds)
            .setting("seed", seed)
            .atMost("lost", outcome.lost(), 0, "events")
            .atMost("not settled at the end", (double) outcome.undrained(), 0, "deliveries")
            .atMost("repeated beyond what was under way", outcome.unexplained(), 0, "events")
            .atMost(
                "repeated", outcome.repeated(), outcome.underWay() + outcome.timedOut(), "events")
            .atMost("left under way by SIGTERM", outcome.leftByTerminate(), 0, "deliveries");
    return options.print(report);
  }
}
