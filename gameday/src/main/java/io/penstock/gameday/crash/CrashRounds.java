package io.penstock.gameday.crash;

import io.penstock.gameday.load.PostLog;
import io.penstock.gameday.receiver.ReceiptLog;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import io.penstock.postgres.embedded.EmbeddedOptions;
import io.penstock.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The rounds: traffic goes on all the while, each round strikes at a random moment and waits until
 * the installation is ready again. For one thread.
 */
public final class CrashRounds {
  /** The deadline of an attempt; the lease follows from it. Short, so that rounds are. */
  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 100000
        burst: 10000
        slots: 500
        timeout: 1s
      """;

  private static final String PREFIX = "load-";
  private static final int DESTINATIONS = 20;
  private static final int EVENTS_PER_SECOND = 500;
  private static final int BATCH = 10;

  /** The receiver answers after this, so that at any moment some attempts are under way. */
  private static final int ANSWER_MILLIS = 30;

  /** Of traffic before each strike. */
  private static final int LEAST_CALM_MILLIS = 600;

  private static final int MOST_CALM_MILLIS = 2_000;

  /** Until all is settled after the last round: what was struck twice is tried again after 25 s. */
  private static final Duration DRAIN = Duration.ofMinutes(2);

  private static final Duration LOOK = Duration.ofMillis(20);

  private final Stand stand;
  private final RandomGenerator random;
  private final Set<String> underWay = new HashSet<>();
  private long longestBackNanos;
  private int leftByTerminate;

  private CrashRounds(Stand stand, RandomGenerator random) {
    this.stand = stand;
    this.random = random;
  }

  /**
   * What came of all rounds.
   *
   * @param leftByTerminate deliveries still leased after an end in good order
   * @param undrained deliveries that had not ended at the end
   * @param longestBack from a strike to ready again
   */
  public record Outcome(
      int rounds,
      Auditor.Finding finding,
      int underWay,
      int timedOut,
      int leftByTerminate,
      long undrained,
      Duration longestBack) {
    public int accepted() {
      return finding.accepted();
    }

    public int lost() {
      return finding.lost().size();
    }

    public int repeated() {
      return finding.repeated().size();
    }

    public int beyond() {
      return finding.beyond().size();
    }

    public int unexplained() {
      return finding.unexplained().size();
    }

    public int receipts() {
      return finding.receipts();
    }
  }

  /** Runs so many rounds in an installation of its own in the folder. */
  public static Outcome run(Path folder, int rounds, RandomGenerator random)
      throws IOException, InterruptedException, SQLException {
    try (Stand stand = Stand.withEmbedded(folder, LIMITS)) {
      return new CrashRounds(stand, random).run(rounds);
    }
  }

  private Outcome run(int rounds) throws IOException, InterruptedException, SQLException {
    Path receipts = stand.folder().resolve("receipts");
    Path posts = stand.folder().resolve("posts");
    Stand.Receiving receiver = stand.startReceiver(receipts);
    stand.startServer();
    stand.makeDestinations(PREFIX, DESTINATIONS, receiver.url() + "/delay/" + ANSWER_MILLIS);
    Stand.Loading load = stand.startLoad(loadArguments(posts));
    for (int round = 0; round < rounds; round++) {
      pause(Duration.ofMillis(random.nextInt(LEAST_CALM_MILLIS, MOST_CALM_MILLIS)));
      strike(Strike.ofRound(round));
    }
    load.stop();
    load.result();
    long undrained = awaitDrained();
    Set<String> timedOut = stand.ledger().texts(Ledger.TIMED_OUT);
    Set<String> leaseLost = stand.ledger().texts(Ledger.LEASE_LOST);
    stand.server().terminate();
    receiver.child().close();
    return new Outcome(
        rounds,
        Auditor.audit(
            PostLog.read(posts), ReceiptLog.read(receipts), underWay, timedOut, leaseLost),
        underWay.size(),
        timedOut.size(),
        leftByTerminate,
        undrained,
        Duration.ofNanos(longestBackNanos));
  }

  private static List<String> loadArguments(Path posts) {
    return List.of(
        "--destinations=" + DESTINATIONS,
        "--prefix=" + PREFIX,
        "--batch=" + BATCH,
        "--rate=" + EVENTS_PER_SECOND,
        "--events=" + Long.MAX_VALUE / 2,
        "--connections=4",
        "--log=" + posts);
  }

  private void strike(Strike strike) throws IOException, InterruptedException, SQLException {
    long begin = Stand.nanos();
    switch (strike) {
      case SERVER -> {
        stand.server().killHard();
        awaitQuiet(stand.ledger());
        underWay.addAll(stand.ledger().texts(Ledger.UNSETTLED));
        stand.startServer();
      }
      case POSTMASTER -> {
        killPostmaster();
        underWay.addAll(awaitBack().texts(Ledger.UNSETTLED));
      }
      case BOTH -> {
        stand.server().killHard();
        killPostmaster();
        underWay.addAll(whileStopped(Ledger.UNSETTLED));
        stand.startServer();
      }
      case TERMINATE -> {
        stand.server().terminate();
        leftByTerminate += whileStopped(Ledger.LEASED).size();
        stand.startServer();
      }
    }
    longestBackNanos = Math.max(longestBackNanos, Stand.nanos() - begin);
  }

  private void killPostmaster() throws IOException {
    ProcessHandle.of(stand.postgresPid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  /**
   * A transaction of the dead server may still be committing: waits until its sessions are gone.
   */
  private static void awaitQuiet(Ledger ledger) throws SQLException, InterruptedException {
    String others =
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid()
        """;
    while (ledger.number(others) > 0) {
      pause(LOOK);
    }
  }

  /** Waits until the server has started another Postgres. */
  private Ledger awaitBack() throws IOException, InterruptedException {
    long begin = Stand.nanos();
    while (true) {
      try {
        Ledger ledger = stand.ledger();
        ledger.open();
        return ledger;
      } catch (IOException | SQLException notYet) {
        if (Stand.nanos() - begin > DRAIN.toNanos()) {
          throw new IOException("the server did not bring its Postgres back", notYet);
        }
        pause(LOOK);
      }
    }
  }

  /** Starts Postgres for a look while no server is there. */
  private Set<String> whileStopped(String sql) throws SQLException {
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(EmbeddedOptions.under(stand.embeddedRoot()))) {
      return new Ledger(postgres.jdbcUrl(), postgres.user(), postgres.password()).texts(sql);
    }
  }

  private long awaitDrained() throws IOException, InterruptedException, SQLException {
    long begin = Stand.nanos();
    long open = stand.ledger().open();
    while (open > 0 && Stand.nanos() - begin < DRAIN.toNanos()) {
      pause(LOOK);
      open = stand.ledger().open();
    }
    return open;
  }

  /** Traffic goes on meanwhile; nothing is waited for but time. */
  private static void pause(Duration howLong) throws InterruptedException {
    Stand.passTime(howLong);
  }
}
