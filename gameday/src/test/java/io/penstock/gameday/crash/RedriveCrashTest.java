package io.penstock.gameday.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.gameday.load.HttpConnection;
import io.penstock.gameday.receiver.ReceiptLog;
import io.penstock.gameday.stand.Home;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A redrive outlives its server. */
class RedriveCrashTest {
  private static final int DEAD = 300;
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 1000
        burst: 1000
        timeout: 1s
      """;

  @TempDir Path folder;

  @Test
  @Timeout(300)
  @DisplayName("case 21: kill -9 in the middle of a redrive, and each message is released once")
  void a_redrive_survives_kills() throws Exception {
    assumeTrue(Home.find().hasServer(), "the server is not built; ./penstock verify builds it");
    Path receipts = folder.resolve("receipts");
    try (Stand stand = Stand.withOwnPostgres(folder, LIMITS)) {
      Stand.Receiving receiver = stand.startReceiver(receipts);
      stand.startServer();
      stand.makeDestinations("dst-", 1, receiver.url() + "/");
      killAll(stand);
      String start =
          "{\"destination\":\"dst-0\",\"rate_per_minute\":3000,\"canary\":{\"first\":0},"
              + "\"reason\":\"test\"}";
      assertThat(post(stand, "/v1/redrives", start)).isEqualTo(201);
      for (int kill = 1; kill <= 2; kill++) {
        awaitAtLeast(stand, "select count(*) from penstock.redrive_event", kill * 60L);
        stand.server().killHard();
        stand.startServer();
      }
      awaitAtLeast(stand, "select count(*) from penstock.redrive where state = 'completed'", 1);
      awaitAtLeast(stand, "select delivered from penstock.redrive", DEAD);

      Ledger ledger = stand.ledger();
      assertThat(ledger.number("select count(*) from penstock.redrive_event")).isEqualTo(DEAD);
      assertThat(ledger.number("select released from penstock.redrive")).isEqualTo(DEAD);
      assertThat(
              ledger.number(
                  "select matched from (select counted as matched"
                      + " from penstock.redrive) counts"))
          .isEqualTo(DEAD);
      assertThat(
              ledger.number("select count(*) from penstock.delivery_done where redrive_count <> 1"))
          .isZero();
      stand.server().terminate();
      receiver.child().close();
      Set<String> arrived = new HashSet<>();
      List<ReceiptLog.Receipt> all = ReceiptLog.read(receipts);
      all.forEach(receipt -> arrived.add(receipt.webhookId()));
      assertThat(arrived).hasSize(DEAD);
    }
  }

  /** Events for a destination that is disabled are born dead. */
  private static void killAll(Stand stand) throws Exception {
    stand.gate("disable", "dst-", 1);
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < DEAD; i++) {
      events
          .append(i == 0 ? "" : ",")
          .append("{\"tenant\":\"")
          .append(Stand.TENANT)
          .append("\",\"type\":\"t\",\"payload\":")
          .append(i)
          .append(",\"destinations\":[\"dst-0\"]}");
    }
    assertThat(post(stand, "/v1/events/batch", "{\"events\":[" + events + "]}"))
        .isBetween(200, 299);
    stand.gate("enable", "dst-", 1);
    awaitAtLeast(stand, "select count(*) from penstock.dead_letter", DEAD);
  }

  private static int post(Stand stand, String path, String body) throws Exception {
    try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
      return connection.post(path, body.getBytes(StandardCharsets.UTF_8)).status();
    }
  }

  private static void awaitAtLeast(Stand stand, String number, long wanted) throws Exception {
    while (stand.ledger().number(number) < wanted) {
      Stand.passTime(LOOK);
    }
  }
}
