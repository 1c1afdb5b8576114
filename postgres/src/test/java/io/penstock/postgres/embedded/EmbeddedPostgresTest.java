package io.penstock.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.postgres.testing.TestFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes throughout: nothing else shows that a launcher works. */
@Timeout(120)
class EmbeddedPostgresTest {
  private static final Path BINARIES = TestFolders.binaries();

  /** One for all tests: each leaves it stopped, and making it takes a second. */
  @TempDir static Path root;

  private static EmbeddedOptions options() {
    return EmbeddedOptions.under(root).withBinaries(BINARIES);
  }

  private static Path data() {
    return root.resolve("data");
  }

  @Test
  void data_survives_a_stop_and_a_start() throws SQLException {
    String password;
    try (EmbeddedPostgres first = EmbeddedPostgres.start(options())) {
      execute(first, "create table survivor as select 42 as answer");
      password = first.password();
    }
    try (EmbeddedPostgres second = EmbeddedPostgres.start(options())) {
      assertThat(query(second, "select answer from survivor")).isEqualTo("42");
      assertThat(second.password()).isEqualTo(password);
      assertThat(second.status()).isEqualTo(new PostgresStatus.Ready(second.postgresPid(), false));
    }
  }

  @Test
  void is_durable_and_reachable_only_with_the_password() throws SQLException, IOException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options())) {
      assertThat(query(postgres, "show fsync")).isEqualTo("on");
      assertThat(query(postgres, "show synchronous_commit")).isEqualTo("on");
      assertThat(query(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(
              query(
                  postgres,
                  "select datcollate from pg_database where datname = current_database()"))
          .isEqualTo("C");
      assertThatThrownBy(
              () -> DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), "guess"))
          .hasMessageContaining("password authentication failed");
      assertThat(Files.getPosixFilePermissions(root.resolve("password")))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void stop_leaves_no_process_behind() {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(options());
    long pid = postgres.postgresPid();
    postgres.close();
    postgres.close();

    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(Processes.in(data())).isEmpty();
    assertThat(postgres.status()).isEqualTo(new PostgresStatus.Stopped());
  }

  @Test
  void the_orphan_of_a_killed_server_is_adopted() throws IOException, SQLException {
    long orphan;
    try (TestingServer server = TestingServer.start(root, BINARIES)) {
      orphan = server.postgresPid();
      server.killHard();
    }
    assertThat(ProcessHandle.of(orphan)).as("outlives the server").isPresent();

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options())) {
      assertThat(postgres.postgresPid()).isEqualTo(orphan);
      assertThat(postgres.status()).isEqualTo(new PostgresStatus.Ready(orphan, true));
      assertThat(query(postgres, "select 1")).isEqualTo("1");
    }
    assertThat(Processes.in(data())).as("stopped by who adopted it").isEmpty();
  }

  @Test
  void an_orphan_with_other_settings_is_replaced() throws IOException, SQLException {
    long orphan;
    try (TestingServer server = TestingServer.start(root, BINARIES)) {
      orphan = server.postgresPid();
    }
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options().withoutDurability())) {
      assertThat(postgres.postgresPid()).isNotEqualTo(orphan);
      assertThat(query(postgres, "show fsync")).isEqualTo("off");
    }
  }

  @Test
  void an_adopted_postmaster_that_dies_is_restarted_too() throws Exception {
    try (TestingServer server = TestingServer.start(root, BINARIES)) {
      assertThat(server.postgresPid()).isPositive();
    }
    killAndExpectRestart(options());
  }

  @Test
  void a_postmaster_killed_under_the_server_is_restarted_at_the_same_place() throws Exception {
    killAndExpectRestart(options());
  }

  private static void killAndExpectRestart(EmbeddedOptions options) throws Exception {
    BlockingQueue<PostgresStatus> seen = new LinkedBlockingQueue<>();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options.withListener(seen::add))) {
      execute(postgres, "create table if not exists t as select 42 as answer");
      long killed = postgres.postgresPid();
      String url = postgres.jdbcUrl();
      seen.clear();

      ProcessHandle.of(killed).orElseThrow().destroyForcibly();

      assertThat(seen.take()).isInstanceOf(PostgresStatus.Down.class);
      PostgresStatus status = seen.take();
      while (!(status instanceof PostgresStatus.Ready)) {
        status = seen.take();
      }
      assertThat(postgres.postgresPid()).isNotEqualTo(killed);
      assertThat(postgres.jdbcUrl()).isEqualTo(url);
      assertThat(query(postgres, "select answer from t")).isEqualTo("42");
    }
  }

  @Test
  void a_stale_pid_file_with_a_strangers_id_is_removed() throws IOException, SQLException {
    EmbeddedPostgres.start(options()).close();
    Process stranger = new ProcessBuilder("cat").start(); // lives until its input is closed
    try {
      Files.write(
          root.resolve("data").resolve(PidFile.NAME),
          List.of(
              Long.toString(stranger.pid()),
              root.resolve("data").toString(),
              "1",
              "1",
              "",
              "",
              "",
              "ready"));

      try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options())) {
        assertThat(query(postgres, "select 1")).isEqualTo("1");
      }
      assertThat(stranger.isAlive()).isTrue();
    } finally {
      stranger.destroy();
    }
  }

  @Test
  void starts_after_everything_was_killed_at_once() throws IOException, SQLException {
    try (TestingServer server = TestingServer.start(root, BINARIES)) {
      long postgres = server.postgresPid();
      server.killHard();
      ProcessHandle.of(postgres).orElseThrow().destroyForcibly();
    }
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options())) {
      assertThat(query(postgres, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void a_start_that_fails_shows_the_log_of_postgres() throws IOException {
    EmbeddedPostgres.start(options()).close();
    Files.writeString(root.resolve(Configuration.LOCAL), "shared_buffers = 'a lot'\n");

    try {
      assertThatThrownBy(() -> EmbeddedPostgres.start(options()))
          .isInstanceOf(EmbeddedPostgresException.class)
          .hasMessageContaining("did not start")
          .hasMessageContaining("invalid value for parameter \"shared_buffers\": \"a lot\"");
    } finally {
      Files.delete(root.resolve(Configuration.LOCAL));
    }
    EmbeddedPostgres.start(options()).close(); // and the lock was given back
  }

  @Test
  void a_data_directory_of_another_version_is_refused(@TempDir Path other) throws IOException {
    Files.createDirectories(other.resolve("data"));
    Files.writeString(other.resolve("data/PG_VERSION"), "15\n");

    EmbeddedOptions options = EmbeddedOptions.under(other).withBinaries(BINARIES);
    assertThatThrownBy(() -> EmbeddedPostgres.start(options))
        .hasMessageContaining("version 15, and the bundled one is 18");
  }

  @Test
  void of_two_starters_one_wins_and_the_other_is_told_who_did() throws IOException {
    try (TestingServer one = TestingServer.start(root, BINARIES);
        TestingServer two = TestingServer.start(root, BINARIES)) {
      CompletableFuture<Long> second =
          CompletableFuture.supplyAsync(() -> {
            try {
              return two.postgresPid();
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      // The loser's output ends; the winner's goes on, so its id is there first or last.
      List<Long> pids =
          List.of(one.postgresPid(), second.join()).stream().filter(pid -> pid != 0).toList();

      assertThat(pids).hasSize(1);
      assertThatThrownBy(() -> EmbeddedPostgres.start(options()))
          .hasMessageContaining("already run by process");
    }
    EmbeddedPostgres.start(options()).close(); // stops the winner's orphan
  }

  @Test
  void a_second_start_in_one_process_is_refused_and_harms_nothing() throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options())) {
      assertThatThrownBy(() -> EmbeddedPostgres.start(options()))
          .hasMessageContaining("already run by this process");
      assertThat(query(postgres, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void another_machine_is_told_to_bring_its_own_database() {
    assertThat(Bundle.archive("Linux", "aarch64")).isEqualTo("/postgres-linux-arm_64.txz");
    assertThatThrownBy(() -> Bundle.archive("Mac OS X", "aarch64"))
        .hasMessageContaining("PENSTOCK_DATABASE_URL");
  }

  private static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
  }
}
