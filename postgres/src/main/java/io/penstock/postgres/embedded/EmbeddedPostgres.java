package io.penstock.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A running Postgres that belongs to this process: started, or adopted when a server that was
 * killed left it running; started again when it dies; stopped by {@link #close}. The URL stays the
 * same through all of that. Safe for use by many threads.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  /**
   * Between two looks at a postmaster that is not our child; our own child's end is seen at once.
   */
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Before the second restart; doubled up to {@link #LONGEST_PAUSE}. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** A postmaster that lived this long was well: the next restart need not wait. */
  private static final Duration STEADY = Duration.ofSeconds(10);

  private final EmbeddedOptions options;
  private final RootLock lock;
  private final Cluster cluster;
  private final int port;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread watcher;
  private volatile Postmaster postmaster;
  private volatile PostgresStatus status;

  private EmbeddedPostgres(
      EmbeddedOptions options, RootLock lock, Cluster cluster, Postmaster postmaster) {
    this.options = options;
    this.lock = lock;
    this.cluster = cluster;
    this.port = postmaster.port();
    this.postmaster = postmaster;
    this.status = new PostgresStatus.Ready(postmaster.pid(), postmaster.adopted());
    this.watcher = Thread.ofPlatform().name("embedded-postgres").daemon().unstarted(this::watch);
  }

  /**
   * Starts or adopts the Postgres of {@code options.root()} and returns when it answers: about 5 s
   * the first time, 1 s later, longer when a crash is repaired.
   *
   * @throws EmbeddedPostgresException when it cannot run here; the message says why and what to do
   */
  public static EmbeddedPostgres start(EmbeddedOptions options) {
    try {
      Files.createDirectories(options.root());
      Path root = options.root().toRealPath();
      RootLock lock = RootLock.take(root);
      boolean started = false;
      try {
        Cluster cluster = Cluster.open(options, root);
        Optional<Postmaster> orphan = cluster.adopt(() -> false);
        Postmaster postmaster =
            orphan.isPresent() ? orphan.get() : cluster.start(options.port(), () -> false);
        EmbeddedPostgres running = new EmbeddedPostgres(options, lock, cluster, postmaster);
        options.listener().accept(running.status);
        running.watcher.start();
        started = true;
        return running;
      } finally {
        if (!started) {
          lock.close();
        }
      }
    } catch (IOException e) {
      throw new EmbeddedPostgresException(
          "the embedded Postgres in " + options.root() + " could not be started: " + e, e);
    }
  }

  /**
   * The Postgres that some process runs in {@code root} right now, for tools that want to look into
   * it. Empty while none is ready. Takes no part in its life.
   */
  public static Optional<RunningPostgres> running(Path root) {
    try {
      Path data = root.toRealPath().resolve("data");
      Optional<PidFile> file = PidFile.read(data).filter(PidFile::ready);
      if (file.isEmpty()
          || ProcessHandle.of(file.get().pid())
              .filter(process -> Processes.worksIn(process, data))
              .isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          new RunningPostgres(
              Login.url(file.get().port()),
              Login.USER,
              Login.in(root.toRealPath()).password(),
              file.get().pid()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** With the database, without user and password. */
  public String jdbcUrl() {
    return Login.url(port);
  }

  /** The only role; a superuser. */
  public String user() {
    return Login.USER;
  }

  /** Generated once per data directory. */
  public String password() {
    return cluster.password();
  }

  /** On 127.0.0.1. */
  public int port() {
    return port;
  }

  /** The postmaster's process id; another one after a restart. */
  public long postgresPid() {
    return postmaster.pid();
  }

  /** What it is doing now. */
  public PostgresStatus status() {
    return status;
  }

  /** Stops Postgres fast and waits for its end. Call it last: whoever still uses it is cut off. */
  @Override
  public void close() {
    if (closing.getCount() == 0) {
      return;
    }
    closing.countDown();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- the watcher: it alone starts and stops Postgres once this object exists

  private void watch() {
    try (lock) {
      keepRunning();
      if (postmaster.alive()) {
        cluster.stop(postmaster);
      }
      tell(new PostgresStatus.Stopped());
    } catch (IOException | InterruptedException e) {
      tell(new PostgresStatus.Down("the launcher gave up: " + e, 0, Duration.ZERO));
    } finally {
      closed.countDown();
    }
  }

  private void keepRunning() throws InterruptedException {
    Duration pause = Duration.ZERO;
    while (!isClosing()) {
      long since = options.nanoClock().getAsLong();
      awaitEndOrClosing();
      if (!isClosing()) {
        boolean steady = options.nanoClock().getAsLong() - since > STEADY.toNanos();
        pause = restart(steady ? Duration.ZERO : pause);
      }
    }
  }

  private void awaitEndOrClosing() {
    while (!isClosing() && !postmaster.awaitEnd(LOOK)) {
      cluster.trimLog();
    }
  }

  /** Tries until it answers again or we are closing; the pause that a next restart begins with. */
  private Duration restart(Duration firstPause) throws InterruptedException {
    String reason = "the postmaster, process " + postmaster.pid() + ", died";
    Duration pause = firstPause;
    for (int tries = 0; ; tries++) {
      tell(new PostgresStatus.Down(reason, tries, pause));
      if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        return pause;
      }
      pause = longer(pause);
      try {
        postmaster = cluster.start(port, this::isClosing);
        tell(new PostgresStatus.Ready(postmaster.pid(), false));
        return pause;
      } catch (EmbeddedPostgresException | IOException e) {
        reason = String.valueOf(e.getMessage());
      }
    }
  }

  private static Duration longer(Duration pause) {
    Duration doubled = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void tell(PostgresStatus now) {
    status = now;
    options.listener().accept(now);
  }
}
