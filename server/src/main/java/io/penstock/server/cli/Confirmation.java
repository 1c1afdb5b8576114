package io.penstock.server.cli;

import io.penstock.server.client.CommandException;
import io.penstock.server.client.ExitCode;
import java.io.Console;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Asks before something is done that concerns everybody. */
final class Confirmation {
  @Option(
      names = "--yes",
      description = "Do not ask before something is done to everything; needed without a terminal.")
  boolean yes;

  private final Terminal terminal;

  Confirmation() {
    this(Confirmation::ask);
  }

  /** Asks somebody else than the person at the terminal, for tests. */
  Confirmation(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Who is asked. */
  @FunctionalInterface
  interface Terminal {
    /** What was answered; empty = nobody can be asked. */
    Optional<String> ask(String question);
  }

  /**
   * Returns once it is confirmed.
   *
   * @param what is about to be done, in words
   * @throws CommandException when it is not, or when nobody can be asked
   */
  void of(String what) {
    if (yes) {
      return;
    }
    String answer =
        terminal
            .ask("This will " + what + ". Type yes to go on: ")
            .orElseThrow(() ->
                new CommandException(
                    ExitCode.USAGE,
                    "this would %s; without a terminal to ask at, wanted --yes".formatted(what)));
    if (!answer.strip().equals("yes")) {
      throw new CommandException(ExitCode.USAGE, "nothing was changed: wanted yes");
    }
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null where there is no terminal
  private static Optional<String> ask(String question) {
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      return Optional.empty();
    }
    String line = console.readLine("%s", question);
    return Optional.of(line == null ? "" : line);
  }
}
