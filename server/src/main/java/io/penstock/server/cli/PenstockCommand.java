package io.penstock.server.cli;

import io.penstock.engine.ledger.LedgerException;
import io.penstock.postgres.embedded.EmbeddedPostgresException;
import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import io.penstock.server.config.ConfigException;
import io.penstock.server.http.CannotListenException;
import io.penstock.server.spelling.Spelling;
import io.penstock.server.yaml.FaultyFileException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/** The root of the command line. */
@Command(
    name = "penstock",
    mixinStandardHelpOptions = true,
    description = {
      "Delivers webhooks, API calls and jobs, and can say no: early, precisely, and to exactly one",
      "destination."
    },
    subcommands = {
      DemoCommand.class,
      DevCommand.class,
      ServeCommand.class,
      MigrateCommand.class,
      RolesCommand.class,
      ConfigCommand.class,
      SendCommand.class,
      ListenCommand.class,
      DeliveriesCommand.class,
      EventCommand.class,
      RedriveCommand.class,
      ShelfCommand.class,
      CancelCommand.class,
      AuditCommand.class,
      WhyCommand.class,
      TubesCommand.class,
      WorkersCommand.class,
      NextCommand.class,
      GateCommands.Pause.class,
      GateCommands.Resume.class,
      GateCommands.Hold.class,
      GateCommands.Release.class,
      GateCommands.Disable.class,
      GateCommands.Enable.class,
      SchedulesCommand.class,
      OutboxCommand.class,
      ScheduleCommand.class,
      LimitsCommand.class,
      HistoryCommand.class,
      TenantsCommand.class,
      DestinationsCommand.class,
      KeysCommand.class,
      VersionCommand.class,
      CommandLine.HelpCommand.class
    },
    footer = {
      "",
      "In a clone of the repository also: ./penstock verify, build, train, bench, sim.",
      "penstock help COMMAND tells more about each.",
      ""
    })
public final class PenstockCommand {
  private PenstockCommand() {}

  /** Runs a command line and returns its exit code. */
  public static int run(String... args) {
    return commandLine().execute(args);
  }

  /** The command line, for tests to give it other streams. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new PenstockCommand());
    line.setExecutionExceptionHandler(PenstockCommand::failed);
    line.setParameterExceptionHandler((e, _) -> {
      CommandLine at = e.getCommandLine();
      at.getErr().println("penstock: " + e.getMessage());
      if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
        at.getErr().println(suggestion(at, unmatched.getUnmatched().getFirst()));
      }
      at.getErr().println("See: " + at.getCommandSpec().qualifiedName() + " --help");
      return ExitCode.USAGE.code();
    });
    addExitCodes(line);
    UsageMessageSpec root = line.getCommandSpec().usageMessage();
    root.description(String.join(" ", root.description()));
    line.getSubcommands().values().forEach(PenstockCommand::summarise);
    return line;
  }

  private static String suggestion(CommandLine at, String word) {
    Set<String> known =
        word.startsWith("-")
            ? at.getCommandSpec().optionsMap().keySet()
            : at.getSubcommands().keySet();
    return known.isEmpty()
        ? "This command takes no such argument."
        : word + ": " + Spelling.hint(word, known);
  }

  private static void addExitCodes(CommandLine line) {
    Map<String, String> codes = new LinkedHashMap<>();
    Arrays.stream(ExitCode.values())
        .forEach(code -> codes.put(Integer.toString(code.code()), code.meaning()));
    line.getCommandSpec().usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(codes);
    line.getSubcommands().values().forEach(PenstockCommand::addExitCodes);
  }

  /**
   * The first sentence of a description stands in the list of commands, and above the rest on a
   * command's own page; its lines are broken for the terminal and not for the source.
   */
  private static void summarise(CommandLine line) {
    UsageMessageSpec usage = line.getCommandSpec().usageMessage();
    String text = String.join(" ", usage.description());
    int end = text.indexOf(". ") + 1;
    if (usage.header().length == 0) {
      usage.header(end == 0 ? text : text.substring(0, end), "");
      usage.description(end == 0 ? "" : "%n" + text.substring(end + 1) + "%n");
    }
    line.getSubcommands().values().forEach(PenstockCommand::summarise);
  }

  private static int failed(Exception e, CommandLine line, ParseResult parsed) {
    PrintWriter err = line.getErr();
    ExitCode code =
        switch (e) {
          case CommandException command -> command.exitCode();
          case ConfigException _, FaultyFileException _, CannotListenException _ -> ExitCode.CONFIG;
          case LedgerException _, EmbeddedPostgresException _ -> ExitCode.UNREACHABLE;
          default -> ExitCode.FAILED;
        };
    err.println("penstock: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
    if (code == ExitCode.FAILED && !(e instanceof CommandException)) {
      e.printStackTrace(err);
    }
    err.flush();
    return code.code();
  }
}
