package io.penstock.server.client;

/** How commands end, for scripts. Documented in every help text. */
public enum ExitCode {
  /** Done. */
  OK(0, "done"),
  /** Something failed that is none of the below; the message says what. */
  FAILED(1, "failed"),
  /** The command line cannot be understood. */
  USAGE(2, "the command line cannot be understood"),
  /** The server understood and refused. */
  REFUSED(3, "the server refused, and says why"),
  /** The server, or the database, cannot be reached or is not ready. */
  UNREACHABLE(4, "server or database cannot be reached"),
  /** A configuration file, variable or flag is at fault. */
  CONFIG(5, "the configuration is at fault"),
  /** The database's schema is older or newer than this program. */
  MIGRATIONS(6, "migrations are pending; run penstock migrate"),
  /** It ran, and a bar that was to be met was not. */
  BARS(7, "a bar was not met");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  public int code() {
    return code;
  }

  public String meaning() {
    return meaning;
  }
}
