package io.penstock.server.client;

/** An expected end of a command other than success: a message for people, a code for scripts. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;

  public CommandException(ExitCode exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
