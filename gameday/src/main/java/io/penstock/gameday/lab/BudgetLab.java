package io.penstock.gameday.lab;

import io.penstock.gameday.report.Report;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sim budget}: one budget against limiters that it knows nothing about. */
@Command(
    name = "budget",
    description = "Drives budgets against limiters they know nothing about.",
    mixinStandardHelpOptions = true)
public final class BudgetLab implements Callable<Integer> {
  @Option(names = "--json", description = "End with one line holding one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    return new Report("sim budget").print(spec.commandLine().getOut(), json);
  }
}
