package io.penstock.gameday;

import io.penstock.gameday.lab.BudgetLab;
import io.penstock.gameday.lab.TubesLab;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Simulations, benches and game days: a list of subcommands. */
@Command(
    name = "penstock",
    subcommands = {Main.Sim.class, Main.Bench.class},
    description = "Simulations, benches and game days of Penstock.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  private Main() {}

  /** Everything on simulated time. */
  @Command(
      name = "sim",
      subcommands = {BudgetLab.class, TubesLab.class},
      description = "Runs on simulated time.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  static final class Sim {}

  /** Everything that measures real time. */
  @Command(
      name = "bench",
      description = "Measurements on this machine.",
      mixinStandardHelpOptions = true)
  static final class Bench implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public void run() {
      spec.commandLine().usage(spec.commandLine().getOut());
    }
  }

  /** Exits with 0 when every bar is met, 1 when one is missed, 2 on wrong usage. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
