package io.penstock.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A wall is hit, an operator pauses, and afterwards the history explains it. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryApiTest {
  private final CountDownLatch refused = new CountDownLatch(1);
  private final Receiver receiver =
      new Receiver(
          0,
          (_, _) -> {
            refused.countDown();
            return new Reply(429, 60);
          });
  private final TestDatabase database;
  private final TestingApi api;

  HistoryApiTest(TestDatabase database, @TempDir Path folder) {
    this.database = database;
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @AfterAll
  void stop() {
    api.close();
    receiver.close();
  }

  @Test
  void an_incident_can_be_explained_from_history_and_roll_ups_after_the_server_has_stopped()
      throws InterruptedException, SQLException {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    assertThat(
            api.post(
                    "/v1/destinations",
                    "{\"id\":\"wall\",\"tenant\":\"acme\",\"url\":\"%s\"}"
                        .formatted(receiver.url()))
                .status())
        .isEqualTo(201);
    api.post(
        "/v1/events",
        "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1,\"destinations\":[\"wall\"]}");
    assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();
    String state = "";
    for (int i = 0; i < 5_000 && !state.equals("parked"); i++) { // its outcome is being booked
      state = api.get("/v1/destinations/wall").text("state");
    }
    assertThat(state).isEqualTo("parked");
    api.post("/v1/destinations/wall/pause", "{\"reason\":\"INC-7\"}");
    Answered paused = api.get("/v1/destinations/wall/history");
    assertThat(paused.json().path("happenings").toString()).contains("paused by key:", "INC-7");
    String reader = api.key("[\"tenant-reader\"]", "[\"acme\"]");
    assertThat(
            api.call("GET", "/v1/destinations/wall/history", reader, null, Map.of())
                .json()
                .path("happenings")
                .toString())
        .contains("\"paused\"")
        .doesNotContain("INC-7", "key:");

    assertThat(refusal("from=2026-03-10T12:00:00Z&to=2026-03-10T11:00:00Z")).contains("before");
    assertThat(refusal("from=yesterday")).contains("a time in UTC");
    assertThat(refusal("from=-999999999-01-01T00:00:00Z")).contains("from the year 2000");
    assertThat(refusal("limit=9")).contains("10 to 5,000");

    api.stop(); // writes what is counted
    assertThat(
            rows(
                """
                select kind || ' ' || cause from penstock.history
                where kind <> 'rate'
                order by at, kind
                """))
        .isEqualTo("cut 429,parked 429");
    assertThat(
            rows(
                """
                select concat_ws(' ', sum(admitted), sum(sent), sum(throttled), min(rate) < 50)
                from penstock.rollup
                """))
        .isEqualTo("1 1 1 t");
  }

  private String refusal(String query) {
    Answered answered = api.get("/v1/destinations/wall/history?" + query);
    assertThat(answered.status()).isEqualTo(400);
    return answered.text("detail");
  }

  private String rows(String sql) throws SQLException {
    StringBuilder all = new StringBuilder();
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        all.append(all.isEmpty() ? "" : ",").append(rows.getString(1));
      }
    }
    return all.toString();
  }
}
