package io.penstock.postgres.wakeup;

import io.penstock.postgres.DatabaseSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of its own, straight to Postgres, with a thread that keeps it: after a failure it
 * is opened again with growing pauses, until it is closed for good.
 */
final class Line implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Line.class);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** How long closing waits for the thread, which a dead network may hold. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

  private final DatabaseSettings settings;
  private final RandomGenerator random;
  private final Work work;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private boolean closed;
  private @Nullable Connection open;

  /** What is done on the connection until it fails. */
  @FunctionalInterface
  interface Work {
    /** {@code again} says that there was a connection before this one. */
    void on(Connection connection, boolean again) throws SQLException, InterruptedException;
  }

  Line(String name, DatabaseSettings settings, RandomGenerator random, Work work) {
    this.settings = settings;
    this.random = random;
    this.work = work;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    boolean again = false;
    while (!isClosed()) {
      try (Connection connection = connect()) {
        pause = FIRST_PAUSE;
        work.on(connection, again);
      } catch (SQLException e) {
        if (!isClosed()) {
          LOG.warn(
              "{} lost its connection (SQLSTATE {}), trying again: {}",
              thread.getName(),
              e.getSQLState(),
              e.getMessage());
        }
      } catch (InterruptedException e) {
        return;
      }
      again = true;
      if (!pauseFor(pause)) {
        return;
      }
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    properties.setProperty("ApplicationName", "penstock wake-up");
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "15");
    properties.setProperty("tcpKeepAlive", "true");
    Connection connection = DriverManager.getConnection(settings.directUrl(), properties);
    lock.lock();
    try {
      open = connection;
    } finally {
      lock.unlock();
    }
    return connection;
  }

  /** Waits for half to the whole of {@code pause}; false when the line was closed. */
  private boolean pauseFor(Duration pause) {
    long left = pause.toNanos() / 2 + random.nextLong(pause.toNanos() / 2);
    lock.lock();
    try {
      while (!closed && left > 0) {
        left = ended.awaitNanos(left);
      }
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Connection last;
    lock.lock();
    try {
      closed = true;
      last = open;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
    try {
      if (last != null) {
        last.abort(Runnable::run); // frees the thread from a read
      }
      thread.join(CLOSE_WAIT);
    } catch (SQLException e) {
      LOG.debug("closing {}", thread.getName(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
