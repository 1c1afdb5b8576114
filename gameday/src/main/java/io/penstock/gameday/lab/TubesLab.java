package io.penstock.gameday.lab;

import io.penstock.gameday.report.Report;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sim tubes}: tubes that share a pool of workers. */
@Command(
    name = "tubes",
    description = "Shares a pool of workers among tubes.",
    mixinStandardHelpOptions = true)
public final class TubesLab implements Callable<Integer> {
  @Option(names = "--json", description = "End with one line holding one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    return new Report("sim tubes").print(spec.commandLine().getOut(), json);
  }
}
