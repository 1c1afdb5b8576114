package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Consumer;

/** The files of one Postgres: made once, configured at each start. */
record DataDirectory(Path path, Bundle bundle, Account account, boolean durable) {

  /** Makes it when it is not there yet; refuses one of another major version. */
  void create(Login login, Consumer<PostgresStatus> listener) throws IOException {
    account.own(login.passwordFile());
    if (Files.exists(path)) {
      checkVersion();
      account.own(path);
      return;
    }
    listener.accept(new PostgresStatus.Preparing("making the data directory"));
    // Made beside its place and renamed, so that a data directory is there whole or not at all.
    Path fresh = path.resolveSibling("data.new");
    Folders.delete(fresh);
    Files.createDirectory(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    account.own(fresh);
    initialise(fresh, login);
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
  }

  private void initialise(Path fresh, Login login) {
    Programs.Ended ended =
        Programs.run(
            account.command(
                bundle.program("initdb"),
                List.of(
                    "--pgdata=" + fresh,
                    "--username=" + Login.USER,
                    "--pwfile=" + login.passwordFile(),
                    "--auth=scram-sha-256",
                    "--no-locale",
                    "--encoding=UTF8",
                    "--no-instructions")));
    if (ended.code() != 0) {
      throw new EmbeddedPostgresException(
          "initdb could not make %s, it ended with code %d:\n%s"
              .formatted(path, ended.code(), ended.output().strip()));
    }
  }

  private void checkVersion() throws IOException {
    Path file = path.resolve("PG_VERSION");
    String version = Files.exists(file) ? Files.readString(file).strip() : "none";
    if (!version.equals(Bundle.MAJOR_VERSION)) {
      throw new EmbeddedPostgresException(
          "%s holds data of Postgres version %s, and the bundled one is %s. Export with the release that wrote it, move the folder away, and import."
              .formatted(path, version, Bundle.MAJOR_VERSION));
    }
  }

  /** Writes the configuration for a start on this port. */
  void configure(int port) throws IOException {
    Path fresh = path.resolve("postgresql.conf.new");
    Files.writeString(fresh, Configuration.text(port, durable));
    account.own(fresh);
    Files.move(fresh, configuration(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Whether that is what the last start was configured with. */
  boolean isConfigured(int port) throws IOException {
    try {
      return Files.readString(configuration()).equals(Configuration.text(port, durable));
    } catch (NoSuchFileException none) {
      return false;
    }
  }

  private Path configuration() {
    return path.resolve("postgresql.conf");
  }
}
