package io.penstock.postgres.testing;

import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.embedded.EmbeddedOptions;
import io.penstock.postgres.embedded.EmbeddedPostgres;
import io.penstock.postgres.embedded.EmbeddedPostgresException;
import io.penstock.postgres.migration.Migrator;
import io.penstock.postgres.partition.Partitions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/** The one Postgres of a JVM that runs tests, with its migrated template. */
final class TestServer implements AutoCloseable {
  private static final String EXTERNAL = "PENSTOCK_TEST_DATABASE_URL";

  /** 45 minutes off the half hour, so that a forgotten conversion shows. */
  private static final String ODD_ZONE = "Pacific/Chatham";

  /** Marks databases of test runs, with the run's process id, so that leftovers can be told. */
  private static final Pattern OURS = Pattern.compile("penstock_test_(\\d{1,18})_.*");

  /** Test JVMs of one module at the same time; each has a data directory of its own. */
  private static final int MOST_SERVERS = 8;

  private static final String PREFIX = "penstock_test_" + ProcessHandle.current().pid() + "_";
  private static final String TEMPLATE = PREFIX + "template";

  private final @Nullable EmbeddedPostgres embedded;
  private final String url;
  private final String user;
  private final String password;
  private final AtomicInteger databases = new AtomicInteger();

  private TestServer(
      @Nullable EmbeddedPostgres embedded, String url, String user, String password) {
    this.embedded = embedded;
    this.url = url;
    this.user = user;
    this.password = password;
  }

  static TestServer start() {
    TestServer server =
        Optional.ofNullable(System.getenv(EXTERNAL))
            .map(TestServer::external)
            .orElseGet(() -> embedded(1));
    server.dropLeftovers();
    server.execute("create database " + TEMPLATE);
    server.migrate(server.database(TEMPLATE));
    return server;
  }

  private static TestServer external(String url) {
    Properties parsed = Driver.parseURL(url, new Properties());
    if (parsed == null) {
      throw new IllegalStateException(
          EXTERNAL + " must be like jdbc:postgresql://host:5432/postgres?user=…&password=…");
    }
    return new TestServer(
        null, url, parsed.getProperty("user", ""), parsed.getProperty("password", ""));
  }

  /** A folder stays for the next run, which saves initdb; another JVM may hold it just now. */
  private static TestServer embedded(int number) {
    Path root = TestFolders.data().resolve(Integer.toString(number));
    try {
      EmbeddedPostgres postgres =
          EmbeddedPostgres.start(
              EmbeddedOptions.under(root).withBinaries(TestFolders.binaries()).withoutDurability());
      return new TestServer(postgres, postgres.jdbcUrl(), postgres.user(), postgres.password());
    } catch (EmbeddedPostgresException.InUse e) {
      if (number == MOST_SERVERS) {
        throw e;
      }
      return embedded(number + 1);
    }
  }

  private void migrate(TestDatabase template) {
    DatabaseSettings settings = template.settings();
    new Migrator(settings).migrate();
    try (Pool pool = Pool.open(settings)) {
      new Partitions(pool).ahead();
    }
  }

  TestDatabase create() {
    String name = PREFIX + databases.incrementAndGet();
    execute("create database " + name + " template " + TEMPLATE);
    execute("alter database " + name + " set timezone = '" + ODD_ZONE + "'");
    return database(name);
  }

  void drop(TestDatabase database) {
    execute("drop database if exists " + database.name() + " with (force)");
  }

  @Override
  public void close() {
    execute("drop database if exists " + TEMPLATE + " with (force)");
    if (embedded != null) {
      embedded.close();
    }
  }

  /** Databases of test runs that were killed. */
  private void dropLeftovers() {
    List<String> left = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select datname from pg_database")) {
      while (rows.next()) {
        String name = rows.getString(1);
        var ours = OURS.matcher(name);
        if (ours.matches() && ProcessHandle.of(Long.parseLong(ours.group(1))).isEmpty()) {
          left.add(name);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot use the test Postgres at " + url, e);
    }
    left.forEach(name -> execute("drop database if exists " + name + " with (force)"));
  }

  private TestDatabase database(String name) {
    String withName = url.replaceFirst("/[^/?]*(\\?|$)", "/" + name + "$1");
    return new TestDatabase(name, withName, user, password);
  }

  private void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("the test Postgres refused: " + sql, e);
    }
  }
}
