package io.penstock.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.push.signing.Signatures;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import io.penstock.server.testing.TestingApi;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@PostgresTest
class StopTest {
  private static final int PATIENCE_SECONDS = 20;

  @Test
  @DisplayName("case 29: a stop lets what is in flight end, books it, and hands back the rest")
  void aStopBooksWhatIsInFlight(TestDatabase database, @TempDir Path folder) throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    CountDownLatch inFlight = new CountDownLatch(3);
    CountDownLatch answer = new CountDownLatch(1);
    try (Receiver receiver =
            new Receiver(
                0,
                (exchange, _) -> {
                  received.add(exchange.getRequestHeaders().getFirst(Signatures.ID_HEADER));
                  inFlight.countDown();
                  await(answer);
                  return Reply.of(204);
                });
        ExecutorService stopper = Executors.newSingleThreadExecutor()) {
      TestingApi api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
      api.post("/v1/tenants", "{\"id\":\"acme\"}");
      api.post(
          "/v1/destinations",
          "{\"id\":\"slow\",\"tenant\":\"acme\",\"url\":\"%s\",\"types\":[]}"
              .formatted(receiver.url()));
      for (int i = 0; i < 3; i++) {
        api.post("/v1/events", "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1}");
      }
      assertThat(inFlight.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      Future<Integer> left = stopper.submit(api::stop);
      while (!isDraining(api)) {
        Thread.onSpinWait();
      }
      answer.countDown();
      assertThat(left.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isZero();
    }
    assertThat(received).doesNotHaveDuplicates().hasSize(3);
    assertThat(count(database, "select count(*) from penstock.delivery")).isZero();
    assertThat(
            count(
                database, "select count(*) from penstock.delivery_done where state = 'delivered'"))
        .isEqualTo(3);
  }

  private static boolean isDraining(TestingApi api) {
    return api.server().isDraining();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long count(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
