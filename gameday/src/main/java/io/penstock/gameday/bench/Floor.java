package io.penstock.gameday.bench;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.intake.EventIds;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Settlement;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.ledger.PostgresLedger;
import io.penstock.postgres.migration.Migrator;
import io.penstock.postgres.partition.Partitions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The ledger's three statements and nothing around them: events are accepted, claimed and settled
 * by this process over as many connections as a server uses, without HTTP on either side. For one
 * thread.
 */
final class Floor implements AutoCloseable {
  /** Posting connections, events per post and bytes per payload, as in the throughput bench. */
  static final int INGEST_CONNECTIONS = 4;

  static final int BATCH = 100;
  static final int PAYLOAD_BYTES = 1024;
  static final int DESTINATIONS = 1_000;

  /** Deliveries per claim and settle: about 20 ms of row locks. */
  private static final int CLAIM = 500;

  /** Accepted and not yet settled at most; a backlog that never empties keeps claims full. */
  private static final int OUTSTANDING = 20_000;

  private static final int CONNECTIONS = 10;
  private static final int MOST_EACH = 32;
  private static final long MOST_BYTES = 8L << 20;
  private static final String TENANT = "floor";
  private static final Audit BY = new Audit("bench", "floor");
  private static final long LONGEST_MICROS = 60_000_000;
  private static final Duration LOOK = Duration.ofMillis(2);

  private final Pool pool;
  private final PostgresLedger ledger;
  private final EventIds ids;
  private final List<String> destinations = new ArrayList<>();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong settled = new AtomicLong();
  private final BlockingQueue<List<Leased>> leased = new ArrayBlockingQueue<>(4);
  private Histogram claimMicros = new ConcurrentHistogram(LONGEST_MICROS, 3);
  private volatile boolean stopping;

  private Floor(Pool pool) {
    this.pool = pool;
    this.ledger = PostgresLedger.open(pool);
    this.ids = new EventIds(ledger::now, new SplittableRandom(Stand.nanos()));
  }

  /** What a run measured. */
  record Measured(double perSecond, double walBytesPerDelivery, Histogram claimMicros) {}

  /** Brings the database up to date and makes the destinations. */
  static Floor open(Ledger database) {
    DatabaseSettings settings =
        new DatabaseSettings(
            database.url(),
            database.url(),
            database.user(),
            database.password(),
            CONNECTIONS,
            false);
    new Migrator(settings).migrate();
    Pool pool = Pool.open(settings);
    new Partitions(pool).ahead();
    Floor floor = new Floor(pool);
    floor.makeDestinations();
    return floor;
  }

  private void makeDestinations() {
    ledger.createTenant(TENANT, TENANT, BY);
    for (int n = 0; n < DESTINATIONS; n++) {
      String id = "floor-" + n;
      destinations.add(id);
      ledger.createDestination(
          new Destination(
              id,
              0,
              TENANT,
              Destination.Mode.PUSH,
              "http://127.0.0.1:9/",
              List.of(),
              List.of(),
              id,
              0),
          (budget, state, now) -> BudgetState.initial(BudgetSettings.DEFAULT, 1, now),
          BY);
    }
  }

  /** Runs for {@code warmUp} and then measures for {@code measure}. */
  Measured run(Ledger database, Duration warmUp, Duration measure) throws Exception {
    stopping = false;
    CountDownLatch ended = new CountDownLatch(INGEST_CONNECTIONS + 2);
    for (int n = 0; n < INGEST_CONNECTIONS; n++) {
      start("ingest", this::ingest, ended);
    }
    start("claim", this::claim, ended);
    start("settle", this::settle, ended);
    Stand.passTime(warmUp);
    claimMicros = new ConcurrentHistogram(LONGEST_MICROS, 3);
    long settledBefore = settled.get();
    long walBefore = database.walBytes();
    long begin = Stand.nanos();
    Stand.passTime(measure);
    double seconds = (Stand.nanos() - begin) / 1e9;
    long deliveries = settled.get() - settledBefore;
    long wal = database.walBytes() - walBefore;
    stopping = true;
    ended.await();
    return new Measured(deliveries / seconds, (double) wal / deliveries, claimMicros);
  }

  private static void start(String name, Runnable loop, CountDownLatch ended) {
    Thread.ofPlatform()
        .name("floor-" + name)
        .start(() -> {
          try {
            loop.run();
          } finally {
            ended.countDown();
          }
        });
  }

  private void ingest() {
    byte[] body = new byte[PAYLOAD_BYTES];
    while (!stopping) {
      if (accepted.get() - settled.get() > OUTSTANDING) {
        pause();
        continue;
      }
      long first = accepted.getAndAdd(BATCH);
      List<NewEvent> events = new ArrayList<>(BATCH);
      for (int n = 0; n < BATCH; n++) {
        String destination = destinations.get((int) ((first + n) % DESTINATIONS));
        events.add(
            new NewEvent(
                ids.next(),
                TENANT,
                "bench.floor",
                "application/octet-stream",
                List.of(),
                body,
                Urgency.INTERACTIVE,
                null,
                List.of(destination)));
      }
      ledger.accept(events);
    }
  }

  private void claim() {
    int turn = 0;
    while (!stopping) {
      List<String> due = destinations.subList(turn, turn + CLAIM);
      turn = (turn + CLAIM) % DESTINATIONS;
      long begin = Stand.nanos();
      Claim claim =
          ledger.claim(
              new ClaimRequest(0, due, "floor", CLAIM, MOST_BYTES), new PlainRules(MOST_EACH));
      if (claim.leased().isEmpty()) {
        pause();
      } else {
        claimMicros.recordValue(Math.min(LONGEST_MICROS, (Stand.nanos() - begin) / 1_000));
        hand(claim.leased());
      }
    }
  }

  private void hand(List<Leased> batch) {
    try {
      while (!stopping && !leased.offer(batch, LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        // The settler is behind.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void settle() {
    try {
      while (!stopping) {
        List<Leased> batch = leased.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        if (batch != null) {
          List<Settlement> settlements = batch.stream().map(Floor::delivered).toList();
          settled.addAndGet(
              ledger.settle(0, settlements, new PlainRules(MOST_EACH)).applied().size());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Settlement delivered(Leased lease) {
    Instant now = lease.notBefore();
    return new Settlement(
        lease,
        new Feedback.Ended(
            new Stamp(0, false, false, false),
            new Outcome.Delivered(200, "", Hint.NONE),
            Duration.ofMillis(1)),
        new Settlement.AttemptRow(
            now, 1_000, "delivered", "", 200, new byte[0], "127.0.0.1", "floor"),
        null);
  }

  private static void pause() {
    try {
      Stand.passTime(LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
