package io.penstock.postgres.embedded;

import java.time.Duration;

/** What the embedded Postgres is doing; told to the listener at every change. */
public sealed interface PostgresStatus {

  /** Getting ready for the first time; {@code step} is a phrase for a person. */
  record Preparing(String step) implements PostgresStatus {}

  /** Answers queries. {@code adopted} = it was left running by a server that was killed. */
  record Ready(long pid, boolean adopted) implements PostgresStatus {}

  /**
   * The postmaster died; the launcher tries again. Ingest answers 503 meanwhile.
   *
   * @param tries restarts tried since it was last ready
   * @param nextTry how long until the next one
   */
  record Down(String reason, int tries, Duration nextTry) implements PostgresStatus {}

  /** Closed by its owner; it does not come back. */
  record Stopped() implements PostgresStatus {}

  /** For a person. */
  default String sentence() {
    return switch (this) {
      case Preparing(String step) -> "embedded Postgres: " + step;
      case Ready(long pid, boolean adopted) ->
          "embedded Postgres is ready, process "
              + pid
              + (adopted ? ", which was left running" : "");
      case Down(String reason, int tries, Duration nextTry) ->
          "embedded Postgres is down: %s; try %d in %d ms"
              .formatted(reason, tries + 1, nextTry.toMillis());
      case Stopped() -> "embedded Postgres has stopped";
    };
  }
}
