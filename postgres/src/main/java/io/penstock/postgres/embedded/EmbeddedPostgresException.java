package io.penstock.postgres.embedded;

/** A circumstance that keeps the embedded Postgres from running; the message says what to do. */
public final class EmbeddedPostgresException extends RuntimeException {
  private static final long serialVersionUID = 1;

  EmbeddedPostgresException(String message) {
    super(message);
  }

  EmbeddedPostgresException(String message, Throwable cause) {
    super(message, cause);
  }
}
