package io.penstock.gameday.lab;

import io.penstock.gameday.report.Report;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sim budget}: one sender with an endless backlog under a ceiling of 600/s against limiters
 * that it knows nothing about. The constants of the rules were tuned on seeds 1 to 15 and 1001 to
 * 1003 and the shapes in {@link BudgetScenarios}; the seeds used here by default were not.
 */
@Command(
    name = "budget",
    description = "Drives budgets against limiters they know nothing about.",
    mixinStandardHelpOptions = true)
public final class BudgetLab implements Callable<Integer> {
  @Option(names = "--json", description = "End with one line holding one JSON object.")
  private boolean json;

  @Option(
      names = "--seed",
      description = "The first of the seeds (default: ${DEFAULT-VALUE}).",
      defaultValue = "7001")
  private long seed;

  @Option(
      names = "--seeds",
      description = "How many seeds; medians are reported (default: ${DEFAULT-VALUE}).",
      defaultValue = "9")
  private int seeds;

  @Option(
      names = "--compare",
      description = "Also the rules of others.",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true")
  private boolean compare;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Report report = new Report("sim budget");
    report.setting("seed", seed).setting("seeds", seeds).setting("ceiling_per_second", 600);
    report.setting("round_trip_ms", 50).setting("share_over_seconds", "30 to 120");
    BudgetScenarios scenarios = new BudgetScenarios(report, seed, seeds);
    scenarios.unknownLimits();
    scenarios.slowLimits();
    scenarios.longWindows();
    scenarios.others();
    scenarios.walls();
    scenarios.lifted();
    if (compare) {
      scenarios.comparison();
    }
    return report.print(spec.commandLine().getOut(), json);
  }
}
