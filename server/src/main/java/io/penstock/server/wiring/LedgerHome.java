package io.penstock.server.wiring;

import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.embedded.EmbeddedOptions;
import io.penstock.postgres.embedded.EmbeddedPostgres;
import io.penstock.postgres.embedded.PostgresStatus;
import io.penstock.postgres.migration.Migrator;
import io.penstock.server.config.ServerConfig;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the ledger lives: a Postgres of our own or somebody else's, with the schema that this
 * program knows. Closed last: everything else stands on it.
 */
public final class LedgerHome implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LedgerHome.class);

  private final @Nullable EmbeddedPostgres embedded;
  private final DatabaseSettings settings;
  private final DatabaseSettings maintenance;
  private final Migrator migrator;
  private @Nullable Pool pool;

  private LedgerHome(
      @Nullable EmbeddedPostgres embedded,
      DatabaseSettings settings,
      DatabaseSettings maintenance) {
    this.embedded = embedded;
    this.settings = settings;
    this.maintenance = maintenance;
    this.migrator = new Migrator(maintenance);
  }

  /** Starts the embedded Postgres, or remembers where the other one is. */
  public static LedgerHome open(ServerConfig config) {
    DatabaseSettings database = config.database();
    if (database != null) {
      DatabaseSettings owner = config.maintenance();
      return new LedgerHome(null, database, owner == null ? database : owner);
    }
    EmbeddedPostgres embedded =
        EmbeddedPostgres.start(EmbeddedOptions.under(config.dataDir().resolve("postgres")));
    DatabaseSettings own =
        DatabaseSettings.direct(embedded.jdbcUrl(), embedded.user(), embedded.password());
    return new LedgerHome(embedded, own, own);
  }

  /** Brings the schema up to date. */
  public List<String> migrate() {
    List<String> applied = migrator.migrate();
    applied.forEach(version -> log.info("migrated to {}", version));
    return applied;
  }

  /** What is pending; empty when the schema is this program's. */
  public List<String> pendingMigrations() {
    return migrator.pending();
  }

  /** How the schema stands to this program's. */
  public Migrator.Status schema() {
    return migrator.status();
  }

  /** The connections; opened when they are first wanted. */
  public synchronized Pool pool() {
    Pool open = pool;
    if (open == null) {
      open = Pool.open(settings);
      pool = open;
    }
    return open;
  }

  public DatabaseSettings settings() {
    return settings;
  }

  /** As the owner of the tables: for retention. */
  public DatabaseSettings maintenance() {
    return maintenance;
  }

  /** What is wrong with the embedded Postgres; empty when it runs, or when it is not ours. */
  public Optional<String> complaint() {
    if (embedded == null) {
      return Optional.empty();
    }
    PostgresStatus status = embedded.status();
    return status instanceof PostgresStatus.Ready
        ? Optional.empty()
        : Optional.of(status.sentence());
  }

  /** Closes the connections, and then the embedded Postgres. */
  @Override
  public synchronized void close() {
    if (pool != null) {
      pool.close();
    }
    if (embedded != null) {
      embedded.close();
    }
  }
}
