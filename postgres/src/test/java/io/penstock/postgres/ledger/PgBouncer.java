package io.penstock.postgres.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.postgresql.Driver;

/** A PgBouncer in transaction mode with few server connections, so that sessions really change. */
final class PgBouncer implements AutoCloseable {
  private static final int TRIES = 200;

  private final Process process;
  private final String url;

  private PgBouncer(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Whether there is one on the PATH. */
  static boolean isInstalled() {
    return program().isPresent();
  }

  private static Optional<Path> program() {
    return Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)),
            Stream.of("/usr/sbin"))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static PgBouncer start(Path folder, TestDatabase database) throws IOException {
    Properties target =
        Optional.ofNullable(Driver.parseURL(database.jdbcUrl(), new Properties())).orElseThrow();
    int port = freePort();
    Path users = folder.resolve("users.txt");
    Files.writeString(users, "\"%s\" \"%s\"\n".formatted(database.user(), database.password()));
    Path config = folder.resolve("pgbouncer.ini");
    Files.writeString(
        config,
        """
        [databases]
        %s = host=%s port=%s
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        pool_mode = transaction
        default_pool_size = 3
        ignore_startup_parameters = extra_float_digits
        logfile = %s
        """
            .formatted(
                database.name(),
                target.getProperty("PGHOST"),
                target.getProperty("PGPORT"),
                port,
                users,
                folder.resolve("pgbouncer.log")));
    String program = program().orElseThrow().toString();
    // It refuses to run as root.
    ProcessBuilder builder =
        isRoot()
            ? new ProcessBuilder("runuser", "-u", "postgres", "--", program, config.toString())
            : new ProcessBuilder(program, config.toString());
    if (isRoot()) {
      openTo(folder);
    }
    Process process =
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile()).start();
    String url = "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database.name());
    PgBouncer bouncer = new PgBouncer(process, url);
    bouncer.awaitReady(database, folder);
    return bouncer;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Lets the user that the pooler runs as read and write its folder. */
  private static void openTo(Path folder) throws IOException {
    Files.setPosixFilePermissions(
        folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Each try waits for the connection; a refused one is told by the exit of the process. */
  private void awaitReady(TestDatabase database, Path folder) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      try (var connection =
          DriverManager.getConnection(url, database.user(), database.password())) {
        assertThat(connection.isValid(5)).isTrue();
        return;
      } catch (SQLException notYet) {
        boolean ended;
        try {
          ended = process.waitFor(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
        if (ended) {
          throw new IOException("pgbouncer: " + Files.readString(folder.resolve("out")), notYet);
        }
      }
    }
    throw new IOException("pgbouncer does not answer at " + url);
  }

  String url() {
    return url;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
