package io.penstock.gameday.lab;

import io.penstock.gameday.report.Report;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sim tubes}: tubes that share a pool of workers, under the rules and without them. */
@Command(
    name = "tubes",
    description = "Shares a pool of workers among tubes.",
    mixinStandardHelpOptions = true)
public final class TubesLab implements Callable<Integer> {
  @Option(names = "--json", description = "End with one line holding one JSON object.")
  private boolean json;

  @Option(
      names = "--seed",
      description = "Moves the arrivals (default: ${DEFAULT-VALUE}).",
      defaultValue = "7001")
  private long seed;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Report report = new Report("sim tubes");
    report.setting("seed", seed).setting("workers", TubesScenarios.WORKERS);
    report.setting("hours", TubesScenarios.HOURS);
    TubesScenarios scenarios = new TubesScenarios(report, seed);
    scenarios.policies();
    scenarios.shares();
    scenarios.aMeanThatJumps();
    return report.print(spec.commandLine().getOut(), json);
  }
}
