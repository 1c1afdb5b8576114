package io.penstock.postgres.embedded;

/** A circumstance that keeps the embedded Postgres from running; the message says what to do. */
public class EmbeddedPostgresException extends RuntimeException {
  private static final long serialVersionUID = 1;

  EmbeddedPostgresException(String message) {
    super(message);
  }

  EmbeddedPostgresException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Another server, or another start in this process, has the data folder. */
  public static final class InUse extends EmbeddedPostgresException {
    private static final long serialVersionUID = 1;

    InUse(String message) {
      super(message);
    }
  }
}
