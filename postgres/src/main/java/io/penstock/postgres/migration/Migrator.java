package io.penstock.postgres.migration;

import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Failures;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.jdbi.v3.core.Jdbi;

/** Brings the schema to this program's version. Uses the direct URL. One thread at a time. */
public final class Migrator {
  /** One shard until somebody asks for more; the number cannot be changed later. */
  public static final int DEFAULT_SHARDS = 1;

  private final DatabaseSettings settings;
  private final Flyway flyway;

  public Migrator(DatabaseSettings settings) {
    this.settings = settings;
    FluentConfiguration configuration =
        Flyway.configure()
            .dataSource(settings.directUrl(), settings.user(), settings.password())
            .schemas("penstock")
            .createSchemas(true)
            .table("schema_history")
            .locations("classpath:io/penstock/postgres/migration");
    // Its lock would be a transaction that stays open, for which "create index concurrently" waits
    // for ever.
    configuration
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
    this.flyway = configuration.load();
  }

  /** Applies what is pending; a new installation gets {@link #DEFAULT_SHARDS}. */
  public List<String> migrate() {
    return migrate(DEFAULT_SHARDS);
  }

  /**
   * Applies what is pending and returns their versions. {@code shards} counts only for a new
   * installation: an existing one keeps its own.
   */
  public List<String> migrate(int shards) {
    List<String> applied =
        answered(flyway::migrate).migrations.stream()
            .map(one -> "%s %s".formatted(one.version, one.description))
            .toList();
    Jdbi.create(settings.directUrl(), settings.user(), settings.password())
        .useHandle(handle ->
            handle.execute(
                "insert into penstock.installation (shards) values (?) on conflict do nothing",
                shards));
    return applied;
  }

  /**
   * How the database's schema stands to this program's.
   *
   * @param pending versions that this program knows and the database has not
   * @param unknown versions that the database has and this program does not know: it is too old
   */
  public record Status(List<String> pending, List<String> unknown) {}

  /** Looks once: it reads the whole history, which takes a good part of a start. */
  public Status status() {
    MigrationInfoService info = answered(flyway::info);
    return new Status(
        Arrays.stream(info.pending()).map(Migrator::name).toList(),
        Arrays.stream(info.all())
            .filter(one -> one.getState().isApplied() && !one.getState().isResolved())
            .map(Migrator::name)
            .toList());
  }

  /** A database that cannot be reached is no bug of ours, and no reason for a stack trace. */
  private static <T> T answered(Supplier<T> asked) {
    try {
      return asked.get();
    } catch (FlywayException e) {
      throw Failures.translate(e);
    }
  }

  /** The versions that this program knows and the database has not. */
  public List<String> pending() {
    return status().pending();
  }

  private static String name(MigrationInfo info) {
    return "%s %s".formatted(info.getVersion(), info.getDescription());
  }
}
