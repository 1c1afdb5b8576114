package io.penstock.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.TemplateEngine;

/**
 * The connections to the ledger. Safe for use by many threads: callers beyond the size of the pool
 * wait at a gate, in order, so that thousands of virtual threads do not fight for connections. The
 * engine's own loops have a few connections that no caller can take from them.
 */
public final class Pool implements AutoCloseable {
  /** Connections that only the loops may use: a claim, a settle and one for the rest. */
  private static final int FOR_LOOPS = 3;

  /** A caller that waits longer than this is better told so: its producer has a time-out too. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  /** A connection attempt that takes longer will not succeed. */
  private static final int CONNECT_SECONDS = 5;

  /** Longer than every statement time-out, so that a dead peer frees its thread in the end. */
  private static final int SOCKET_SECONDS = 30;

  private final HikariDataSource source;
  private final TransactionTime time;
  private final Jdbi jdbi;
  private final Semaphore callers;
  private final Semaphore loops;

  /** 0 = not asked yet. */
  private volatile int shards;

  private Pool(HikariDataSource source, int connections, TransactionTime time) {
    this.source = source;
    this.time = time;
    this.jdbi = Jdbi.create(source);
    // The SQL holds '<' and no template.
    jdbi.getConfig(SqlStatements.class).setTemplateEngine(TemplateEngine.NOP);
    int reserved = Math.min(FOR_LOOPS, connections / 2);
    this.loops = new Semaphore(reserved, true);
    this.callers = new Semaphore(connections - reserved, true);
  }

  /** Who asks. */
  public enum Use {
    /** Requests and sends: many at once. */
    CALLER,
    /**
     * Claims, settles and the other loops of the engine: few, and never kept waiting by callers.
     */
    LOOP
  }

  /** What is done on a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T with(Handle handle);
  }

  /** Opens the pool. Does not wait for the database: the first caller does. */
  public static Pool open(DatabaseSettings settings) {
    return open(settings, TransactionTime.DATABASE);
  }

  /** Opens the pool with another clock than the database's, for tests. */
  public static Pool open(DatabaseSettings settings, TransactionTime time) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("ledger");
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(settings.connections());
    config.setConnectionTimeout(WAIT.toMillis());
    config.setInitializationFailTimeout(-1);
    // As text: the driver does not see properties of any other type.
    config.addDataSourceProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    config.addDataSourceProperty("socketTimeout", Integer.toString(SOCKET_SECONDS));
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("ApplicationName", "penstock");
    if (settings.pooled()) {
      // A pooler in transaction mode hands every transaction another session.
      config.addDataSourceProperty("prepareThreshold", "0");
    }
    return new Pool(new HikariDataSource(config), settings.connections(), time);
  }

  /**
   * One transaction.
   *
   * @throws io.penstock.engine.ledger.LedgerException if the database cannot answer now
   */
  public <T> T transaction(Use use, Work<T> work) {
    return bounded(use, () -> jdbi.inTransaction(work::with));
  }

  /**
   * Statements that each are a transaction of their own.
   *
   * @throws io.penstock.engine.ledger.LedgerException if the database cannot answer now
   */
  public <T> T read(Use use, Work<T> work) {
    return bounded(use, () -> jdbi.withHandle(work::with));
  }

  /** How many shards the installation has; asked of a migrated database once. */
  public int shards() {
    if (shards == 0) {
      shards =
          read(
              Use.CALLER,
              handle ->
                  handle
                      .createQuery("select shards from penstock.installation")
                      .mapTo(Integer.class)
                      .one());
    }
    return shards;
  }

  /** The ledger's time, in microseconds, given what the database's clock said just now. */
  public Instant ledgerTime(Instant databaseTime) {
    return time.at(databaseTime).truncatedTo(ChronoUnit.MICROS);
  }

  /** The ledger's time, read in a statement of its own. */
  public Instant now(Handle handle) {
    return ledgerTime(
        handle
            .createQuery("select clock_timestamp() as now")
            .map((row, context) -> Bind.instant(row, "now"))
            .one());
  }

  private <T> T bounded(Use use, Supplier<T> work) {
    Semaphore gate =
        switch (use) {
          case CALLER -> callers;
          case LOOP -> loops;
        };
    enter(gate);
    try {
      return work.get();
    } catch (RuntimeException e) {
      throw Failures.translate(e);
    } finally {
      gate.release();
    }
  }

  private static void enter(Semaphore gate) {
    try {
      if (!gate.tryAcquire(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw Failures.noConnection(WAIT, gate.getQueueLength());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.interrupted(e);
    }
  }

  @Override
  public void close() {
    source.close();
  }
}
