package io.penstock.gameday.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.gameday.receiver.ReceiptLog;
import io.penstock.gameday.stand.Home;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application enqueues in transactions of its own, some of which it rolls back, while servers
 * are killed with -9. Each row says in its type which one it is, so that the ledger itself tells
 * how many events were made of it.
 */
class OutboxCrashTest {
  private static final String PREFIX = "dst-";
  private static final int DESTINATIONS = 5;
  private static final int STRIKES = 2;
  private static final int ROWS_OF_TRANSACTION = 20;

  /** Every so many transactions one is rolled back. */
  private static final int ROLLED_BACK = 7;

  /** Every so many rows one names a destination that does not exist. */
  private static final int REFUSED = 50;

  private static final int LEAST_CALM_MILLIS = 800;
  private static final int MOST_CALM_MILLIS = 1_200;
  private static final Duration APPLICATION_REST = Duration.ofMillis(60);
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 100000
        burst: 10000
        slots: 500
        timeout: 1s
      """;
  private static final String ENQUEUE =
      """
      select penstock.enqueue('%s', 'row.' || i, '{}',
        destinations => array[case when i %% %d = 0 then 'nowhere' else '%s' || i %% %d end])
      from generate_series(?, ?) as i
      """
          .formatted(Stand.TENANT, REFUSED, PREFIX, DESTINATIONS);

  @TempDir Path folder;

  private final AtomicBoolean enough = new AtomicBoolean();

  @Test
  @Timeout(300)
  @DisplayName("case 31: each row that was committed makes one event, whatever is killed")
  void kills_neither_lose_nor_double_a_row_of_the_outbox() throws Exception {
    assumeTrue(Home.find().hasServer(), "the server is not built; ./penstock verify builds it");
    SplittableRandom random = new SplittableRandom(1);
    try (Stand stand = Stand.withOwnPostgres(folder, LIMITS);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Path receipts = folder.resolve("receipts");
      Stand.Receiving receiver = stand.startReceiver(receipts);
      stand.startServer();
      stand.makeDestinations(PREFIX, DESTINATIONS, receiver.url().toString());
      Ledger ledger = stand.ledger();
      Future<Long> application = threads.submit(() -> enqueue(ledger));
      try {
        for (int strike = 0; strike < STRIKES; strike++) {
          Stand.passTime(Duration.ofMillis(random.nextInt(LEAST_CALM_MILLIS, MOST_CALM_MILLIS)));
          stand.server().killHard();
          stand.startServer();
        }
      } finally {
        enough.set(true);
      }
      long committed = application.get();
      awaitNone(ledger, "select count(*) from penstock.outbox");
      awaitNone(ledger, "select count(*) from penstock.delivery");

      assertThat(committed).as("the application went on").isGreaterThan(500);
      assertThat(ledger.number("select count(*) from penstock.outbox_refused"))
          .isEqualTo(committed / REFUSED);
      assertThat(ledger.number("select count(distinct type) from penstock.event"))
          .as("events of different rows: nothing is lost, nothing rolled back came")
          .isEqualTo(committed - committed / REFUSED);
      assertThat(ledger.number("select count(distinct event_id) from penstock.event"))
          .as("all events: none is doubled")
          .isEqualTo(committed - committed / REFUSED);
      receiver.child().close();
      Set<String> arrived =
          ReceiptLog.read(receipts).stream()
              .map(ReceiptLog.Receipt::webhookId)
              .collect(Collectors.toSet());
      assertThat(arrived).isEqualTo(ledger.texts("select event_id::text from penstock.event"));
    }
  }

  /** Numbers the rows of what is committed without a gap; how many they are. */
  private long enqueue(Ledger ledger) throws Exception {
    long committed = 0;
    try (Connection connection = ledger.connect();
        PreparedStatement statement = connection.prepareStatement(ENQUEUE)) {
      connection.setAutoCommit(false);
      for (long transaction = 1; !enough.get(); transaction++) {
        statement.setLong(1, committed + 1);
        statement.setLong(2, committed + ROWS_OF_TRANSACTION);
        statement.executeQuery().close();
        if (transaction % ROLLED_BACK == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed += ROWS_OF_TRANSACTION;
        }
        Stand.passTime(APPLICATION_REST);
      }
    }
    return committed;
  }

  private static void awaitNone(Ledger ledger, String count) throws Exception {
    long began = Stand.nanos();
    while (ledger.number(count) > 0) {
      if (Stand.nanos() - began > PATIENCE.toNanos()) {
        throw new AssertionError("still there: " + count);
      }
      Stand.passTime(LOOK);
    }
  }
}
