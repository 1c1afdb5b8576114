package io.penstock.postgres.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One data directory and the processes on it: started, adopted, stopped. Used by one thread at a
 * time, under the {@link RootLock}. {@code giveUp} ends every wait early.
 */
final class Cluster {
  /** Between two looks at {@code postmaster.pid} while Postgres starts. */
  private static final Duration LOOK = Duration.ofMillis(20);

  /** How long a start may take: after a crash it replays up to max_wal_size, on a slow disk. */
  private static final Duration START_PATIENCE = Duration.ofMinutes(10);

  /** Backends of a dead postmaster end at their next wait; one in a long statement takes longer. */
  private static final Duration OLD_BACKENDS_PATIENCE = Duration.ofSeconds(10);

  /** Seconds for a fast stop: it writes out up to shared_buffers. */
  private static final String STOP_SECONDS = "60";

  /** From the end of its work, when pg_ctl returns, to the end of the process. */
  private static final Duration END_PATIENCE = Duration.ofSeconds(5);

  /** A free port can be taken between our look and Postgres's. */
  private static final int PORT_TRIES = 3;

  private final EmbeddedOptions options;
  private final Bundle bundle;
  private final Account account;
  private final DataDirectory data;
  private final ServerLog log;
  private final Login login;

  private Cluster(EmbeddedOptions options, Bundle bundle, Account account, Path root, Login login) {
    this.options = options;
    this.bundle = bundle;
    this.account = account;
    this.data = new DataDirectory(root.resolve("data"), bundle, account, options.durable());
    this.log = new ServerLog(root.resolve("postgres.log"));
    this.login = login;
  }

  /** Makes whatever is not there yet below {@code root}: binaries, password, data directory. */
  static Cluster open(EmbeddedOptions options, Path root) throws IOException {
    Bundle bundle = Bundle.unpack(options.binaries(), options.listener());
    Account account = Account.find(bundle, root.resolve("data"));
    Cluster cluster = new Cluster(options, bundle, account, root, Login.in(root));
    cluster.data.create(cluster.login, options.listener());
    return cluster;
  }

  String password() {
    return login.password();
  }

  /**
   * The postmaster that already runs on this data directory, if we would have started it the same
   * way; one that differs is stopped. A pid file that names a stranger is taken away.
   */
  Optional<Postmaster> adopt(BooleanSupplier giveUp) throws IOException {
    Optional<ProcessHandle> named =
        PidFile.read(data.path()).flatMap(file -> ProcessHandle.of(file.pid()));
    if (named.isEmpty()) {
      return Optional.empty(); // no file, or a dead process: Postgres itself replaces such a file
    }
    if (!Processes.worksIn(named.get(), data.path())) {
      removePidFile(named.get());
      return Optional.empty();
    }
    options.listener().accept(new PostgresStatus.Preparing("adopting the Postgres left running"));
    Postmaster postmaster = process(named.get(), awaitPort(named.get(), true, giveUp), true);
    if (!postmaster.alive()) {
      return Optional.empty();
    }
    if (!startedOurWay(postmaster)) {
      stop(postmaster);
      return Optional.empty();
    }
    checkLogin(postmaster);
    return Optional.of(postmaster);
  }

  private Postmaster process(ProcessHandle handle, int port, boolean adopted) {
    return new Postmaster(handle, data.path(), port, adopted);
  }

  private boolean startedOurWay(Postmaster postmaster) throws IOException {
    boolean port = options.port() == 0 || options.port() == postmaster.port();
    return port
        && data.isConfigured(postmaster.port())
        && Processes.runs(postmaster.handle(), bundle.program("postgres"));
  }

  /** Starts a postmaster and waits until it answers. Port 0 = any free one. */
  Postmaster start(int wantedPort, BooleanSupplier giveUp) throws IOException {
    awaitOldBackends();
    options.listener().accept(new PostgresStatus.Preparing("starting Postgres"));
    for (int tries = 1; ; tries++) {
      int port = wantedPort == 0 ? anyFreePort() : wantedPort;
      try {
        return startOn(port, giveUp);
      } catch (EmbeddedPostgresException failed) {
        if (wantedPort != 0 || tries == PORT_TRIES || isFree(port)) {
          throw failed;
        }
      }
    }
  }

  private Postmaster startOn(int port, BooleanSupplier giveUp) throws IOException {
    data.configure(port);
    long begin = log.begin();
    Process process =
        Programs.detached(
            account.command(bundle.program("postgres"), List.of("-D", data.path().toString())),
            log.file());
    Postmaster postmaster = process(process.toHandle(), port, false);
    boolean answers = false;
    try {
      if (awaitPort(postmaster.handle(), false, giveUp) != port) {
        throw new EmbeddedPostgresException(
            "Postgres did not start on port %d. Its log, %s, says:\n%s"
                .formatted(port, log.file(), log.since(begin)));
      }
      checkLogin(postmaster);
      answers = true;
      return postmaster;
    } finally {
      if (!answers && postmaster.alive()) {
        stop(postmaster);
      }
    }
  }

  /** Stops fast: sessions are cut off, everything committed is kept. */
  void stop(Postmaster postmaster) {
    for (String mode : List.of("fast", "immediate")) {
      Programs.run(
          account.command(
              bundle.program("pg_ctl"),
              List.of("stop", "-D", data.path().toString(), "-m", mode, "-w", "-t", STOP_SECONDS)));
      if (postmaster.awaitEnd(END_PATIENCE)) {
        return;
      }
    }
    postmaster.kill();
  }

  /** Keeps Postgres's log within its bound. */
  void trimLog() {
    try {
      log.trim();
    } catch (IOException e) {
      // A log that cannot be trimmed is no reason to leave Postgres alone; the next look tries
      // again.
    }
  }

  /** Waits until the process says that it is ready; its port, or 0 when it ended before that. */
  private int awaitPort(ProcessHandle process, boolean adopted, BooleanSupplier giveUp)
      throws IOException {
    Postmaster waiting = process(process, 0, adopted);
    long begin = options.nanoClock().getAsLong();
    do {
      Optional<PidFile> told = PidFile.read(data.path()).filter(f -> f.pid() == process.pid());
      if (told.isPresent() && told.get().ready()) {
        return told.get().port();
      }
      if (giveUp.getAsBoolean()) {
        throw new EmbeddedPostgresException("closed while Postgres was starting");
      }
      if (options.nanoClock().getAsLong() - begin > START_PATIENCE.toNanos()) {
        throw new EmbeddedPostgresException(
            "Postgres, process %d, was not ready after %d s; see %s"
                .formatted(process.pid(), START_PATIENCE.toSeconds(), log.file()));
      }
    } while (!waiting.awaitEnd(LOOK));
    return 0;
  }

  private void checkLogin(Postmaster postmaster) {
    try {
      login.prepare(postmaster.port());
    } catch (SQLException e) {
      throw new EmbeddedPostgresException(
          "the Postgres on port %d, process %d, runs but does not accept the user %s with the password in %s: %s"
              .formatted(
                  postmaster.port(),
                  postmaster.pid(),
                  Login.USER,
                  login.passwordFile(),
                  e.getMessage()),
          e);
    }
  }

  /**
   * Children of a postmaster that was killed hold its shared memory, and Postgres refuses to start
   * beside them. They end by themselves as soon as they notice.
   */
  private void awaitOldBackends() {
    for (ProcessHandle backend : Processes.in(data.path())) {
      if (!process(backend, 0, true).awaitEnd(OLD_BACKENDS_PATIENCE)) {
        throw new EmbeddedPostgresException(
            "process %d of an earlier Postgres still works in %s, after %d s"
                .formatted(backend.pid(), data.path(), OLD_BACKENDS_PATIENCE.toSeconds()));
      }
    }
  }

  // The file also guards the shared memory, so it may go only when nothing works in the folder.
  private void removePidFile(ProcessHandle stranger) throws IOException {
    awaitOldBackends();
    options
        .listener()
        .accept(
            new PostgresStatus.Preparing(
                "removing a stale "
                    + PidFile.NAME
                    + ": process "
                    + stranger.pid()
                    + " is not, or no longer, this Postgres"));
    Files.deleteIfExists(data.path().resolve(PidFile.NAME));
  }

  private static int anyFreePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
