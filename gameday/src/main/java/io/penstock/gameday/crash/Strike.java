package io.penstock.gameday.crash;

/** What is done to a running installation in one round. */
enum Strike {
  /** SIGKILL to the server; its embedded Postgres lives on as an orphan. */
  SERVER,
  /** SIGKILL to the postmaster; the server has to start another. */
  POSTMASTER,
  /** SIGKILL to both at once. */
  BOTH,
  /** SIGTERM to the server: an end in good order. */
  TERMINATE;

  /** Round by round, so that every few rounds have met them all. */
  static Strike ofRound(int round) {
    return values()[round % values().length];
  }
}
