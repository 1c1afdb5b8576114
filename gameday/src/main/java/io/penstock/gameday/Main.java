package io.penstock.gameday;

import io.penstock.gameday.bench.AdaptiveBench;
import io.penstock.gameday.bench.ClaimBench;
import io.penstock.gameday.bench.DebitsBench;
import io.penstock.gameday.bench.FloorBench;
import io.penstock.gameday.bench.IsolationBench;
import io.penstock.gameday.bench.LatencyBench;
import io.penstock.gameday.bench.LeaseBench;
import io.penstock.gameday.bench.LimitsBench;
import io.penstock.gameday.bench.MemoryBench;
import io.penstock.gameday.bench.RebuildBench;
import io.penstock.gameday.bench.RedriveBench;
import io.penstock.gameday.bench.ThroughputBench;
import io.penstock.gameday.bench.TubesBench;
import io.penstock.gameday.crash.CrashBench;
import io.penstock.gameday.sim.SimCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Simulations, benches and game days: a list of subcommands. */
@Command(
    name = "penstock",
    subcommands = {SimCommand.class, Main.Bench.class},
    description = "Simulations, benches and game days of Penstock.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  private Main() {}

  /** Everything that measures real time. */
  @Command(
      name = "bench",
      subcommands = {
        FloorBench.class,
        ThroughputBench.class,
        LatencyBench.class,
        LeaseBench.class,
        TubesBench.class,
        ClaimBench.class,
        MemoryBench.class,
        RedriveBench.class,
        RebuildBench.class,
        LimitsBench.class,
        CrashBench.class,
        AdaptiveBench.class,
        IsolationBench.class,
        DebitsBench.class
      },
      description = "Measurements on this machine.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  static final class Bench {}

  /** Exits with 0 when every bar is met, 1 when one is missed, 2 on wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
