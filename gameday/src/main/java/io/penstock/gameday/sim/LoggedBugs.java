package io.penstock.gameday.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * The engine's loops never end: what they did not expect they log as an error and go on. In a
 * simulated world such a line is a bug, and ends the run.
 */
final class LoggedBugs extends AppenderBase<ILoggingEvent> {
  private LoggedBugs() {}

  /** From now on errors that the engine logs in a simulated world end its run. */
  static void listen() {
    Logger engine = (Logger) LoggerFactory.getLogger("io.penstock.engine");
    LoggedBugs bugs = new LoggedBugs();
    bugs.setContext(engine.getLoggerContext());
    bugs.start();
    engine.setLevel(Level.ERROR);
    engine.addAppender(bugs);
    engine.setAdditive(false);
  }

  @Override
  protected void append(ILoggingEvent event) {
    Baton baton = Baton.ofThread();
    if (baton != null && event.getLevel().isGreaterOrEqual(Level.ERROR)) {
      baton.failed(
          event.getThrowableProxy() instanceof ThrowableProxy cause
              ? cause.getThrowable()
              : new AssertionError(event.getFormattedMessage()));
    }
  }
}
