package io.penstock.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much is logged, for commands that draw on the terminal themselves. */
final class LogLevels {
  private LogLevels() {}

  /** Leaves what is wrong, unless PENSTOCK_LOG_LEVEL says otherwise. */
  static void onlyWarnings() {
    if (System.getenv("PENSTOCK_LOG_LEVEL") == null
        && LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.WARN);
    }
  }
}
