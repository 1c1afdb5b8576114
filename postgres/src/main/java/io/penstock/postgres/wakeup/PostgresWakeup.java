package io.penstock.postgres.wakeup;

import io.penstock.engine.wakeup.Wakeup;
import io.penstock.postgres.DatabaseSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wake-ups by NOTIFY. Two connections of its own, one to hear and one to tell, straight to
 * Postgres: a pooler in transaction mode loses LISTEN, and the ledger's transactions must not wait
 * for NOTIFY's lock. What comes fast is gathered: a hint goes at once when the last one is older
 * than the debounce, else with the next.
 */
public final class PostgresWakeup implements Wakeup {
  /** Hints are gathered for so long at most; a fiftieth of a second is late for nobody. */
  static final Duration DEBOUNCE = Duration.ofMillis(20);

  /** After so much silence the connection is tried, so that a dead one is found. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

  private final DatabaseSettings settings;
  private final LongSupplier nanoClock;
  private final RandomGenerator random;
  private final String self;
  private final Line telling;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition added = lock.newCondition();
  private final Hints hints = new Hints();
  private @Nullable Line hearing;

  /** Connects in the background; hints given before are kept. */
  public PostgresWakeup(DatabaseSettings settings, LongSupplier nanoClock, RandomGenerator random) {
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.random = random;
    this.self = HexFormat.of().toHexDigits(random.nextLong());
    this.telling = new Line("penstock-notify", settings, random, this::tell);
    telling.start();
  }

  @Override
  public void due(int shard, Collection<String> destinationIds) {
    if (destinationIds.isEmpty()) {
      return;
    }
    add(() -> hints.addDue(shard, destinationIds));
  }

  @Override
  public void gatesChanged() {
    add(hints::addGates);
  }

  @Override
  public void rebuild() {
    add(hints::addRebuild);
  }

  @Override
  public void limitsChanged() {
    add(hints::addLimits);
  }

  private void add(Runnable hint) {
    lock.lock();
    try {
      hint.run();
      added.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void listen(Listener listener) {
    lock.lock();
    try {
      if (hearing != null) {
        throw new IllegalStateException("there is a listener already");
      }
      hearing =
          new Line(
              "penstock-listen",
              settings,
              random,
              (connection, again) -> hear(connection, again, listener));
      hearing.start();
    } finally {
      lock.unlock();
    }
  }

  private void hear(Connection connection, boolean again, Listener listener) throws SQLException {
    PGConnection postgres = connection.unwrap(PGConnection.class);
    try (Statement statement = connection.createStatement()) {
      statement.execute("listen penstock");
      if (again) {
        listener.lost();
      }
      while (true) {
        PGNotification[] heard = postgres.getNotifications((int) KEEP_ALIVE.toMillis());
        if (heard.length == 0) {
          statement.execute("select 1");
        }
        for (PGNotification one : heard) {
          Hints.tell(one.getParameter(), self, listener);
        }
      }
    }
  }

  private void tell(Connection connection, boolean again)
      throws SQLException, InterruptedException {
    try (Statement statement = connection.createStatement()) {
      // A hint may be lost in a crash; waiting for the disk would only make it late.
      statement.execute("set synchronous_commit = off");
    }
    if (again) {
      add(hints::addWalk);
    }
    long last = nanoClock.getAsLong() - DEBOUNCE.toNanos();
    while (true) {
      List<String> payloads = next(last);
      last = nanoClock.getAsLong();
      if (payloads.isEmpty()) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("select 1");
        }
      } else {
        send(connection, payloads);
      }
    }
  }

  private static void send(Connection connection, List<String> payloads) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select pg_notify('penstock', payload) from unnest(?) as p(payload)")) {
      statement.setArray(1, connection.createArrayOf("text", payloads.toArray()));
      statement.execute();
    }
  }

  /** Waits for hints, and for the debounce since {@code last}; empty after a long silence. */
  private List<String> next(long last) throws InterruptedException {
    lock.lock();
    try {
      long silence = KEEP_ALIVE.toNanos();
      while (hints.isEmpty() && silence > 0) {
        silence = added.awaitNanos(silence);
      }
      long early = DEBOUNCE.toNanos() - (nanoClock.getAsLong() - last);
      while (early > 0 && !hints.isEmpty()) {
        early = added.awaitNanos(early);
        early = Math.min(early, DEBOUNCE.toNanos() - (nanoClock.getAsLong() - last));
      }
      return hints.take(self);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    telling.close();
    Line heard;
    lock.lock();
    try {
      heard = hearing;
    } finally {
      lock.unlock();
    }
    if (heard != null) {
      heard.close();
    }
  }
}
