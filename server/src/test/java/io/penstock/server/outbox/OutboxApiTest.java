package io.penstock.server.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import io.penstock.testkit.receiver.Received;
import io.penstock.testkit.receiver.ScriptedReceiver;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From an application's SQL to the receiver, and what an operator sees. */
@PostgresTest
class OutboxApiTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TestDatabase database;
  private final Path folder;

  OutboxApiTest(TestDatabase database, @TempDir Path folder) {
    this.database = database;
    this.folder = folder;
  }

  private Connection application() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  @Test
  void whatIsEnqueuedIsDeliveredAndWhatIsRefusedIsShownAndSentInAgain() throws SQLException {
    try (ScriptedReceiver receiver = ScriptedReceiver.start();
        TestingApi api =
            TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
        Connection application = application();
        Statement sql = application.createStatement()) {
      api.post("/v1/tenants", "{\"id\":\"acme\"}");
      destination(api, "dst_a", receiver);
      application.setAutoCommit(false);
      enqueue(sql, "'acme', 'order.paid', '{\"b\" : 2, \"a\":1.0}', destinations => '{dst_a}'");
      application.commit();
      enqueue(sql, "'acme', 'order.paid', '\"never\"', destinations => '{dst_a}'");
      application.rollback();
      enqueue(sql, "'acme', 'order.paid', '3', destinations => '{dst_b}'");
      enqueue(sql, "'acme', 'order.paid', '{', destinations => '{dst_a}'");
      application.commit();
      List<Received> first = receiver.await(1, PATIENCE);
      assertThat(new String(first.getFirst().body(), UTF_8)).isEqualTo("{\"b\" : 2, \"a\":1.0}");
      Answered refused = refusals(api, 2);
      assertThat(refused.json().at("/items/0/reason").asString("")).isEqualTo("invalid");
      assertThat(refused.json().at("/items/1/reason").asString(""))
          .isEqualTo("unknown_destination");
      assertThat(api.get("/v1/outbox").json().path("refused").asInt()).isEqualTo(2);
      retry(api, refused, receiver);
      assertThat(receiver.received()).hasSize(2);
      assertThat(new String(receiver.received().getLast().body(), UTF_8)).isEqualTo("3");
      keysOfATenantSeeOnlyItsRows(api);
      Answered metrics = api.get("/metrics");
      assertThat(new String(metrics.response().body(), UTF_8))
          .contains("penstock_outbox_refused_total{reason=\"invalid\"} 1")
          .contains("penstock_outbox_rows ")
          .contains("penstock_outbox_oldest_age_seconds ")
          .contains("penstock_events_total{result=\"stored\"} 2");
    }
  }

  private static void retry(TestingApi api, Answered refused, ScriptedReceiver receiver) {
    destination(api, "dst_b", receiver);
    String path =
        "/v1/outbox/refused/%s/retry".formatted(refused.json().at("/items/1/number").asString(""));
    assertThat(api.post(path, "{}").status()).isEqualTo(422);
    assertThat(api.post(path, "{\"reason\":\"it exists now\"}").status()).isEqualTo(200);
    assertThat(api.post(path, "{\"reason\":\"once more\"}").status()).isEqualTo(404);
    receiver.await(2, PATIENCE);
    assertThat(api.get("/v1/audit?action=outbox.retry").json().path("items").size()).isOne();
  }

  private static void keysOfATenantSeeOnlyItsRows(TestingApi api) {
    String own = api.key("[\"operator\"]", "[\"acme\"]");
    String other = api.key("[\"operator\"]", "[\"beta\"]");
    assertThat(items(api, own)).isOne();
    assertThat(items(api, other)).isZero();
    assertThat(api.call("GET", "/v1/outbox", own, null, Map.of()).status()).isEqualTo(403);
  }

  private static int items(TestingApi api, String key) {
    return api.call("GET", "/v1/outbox/refused", key, null, Map.of()).json().path("items").size();
  }

  /** Asks until so many rows lie refused; the outbox is looked at twice a second. */
  private static Answered refusals(TestingApi api, int count) {
    Answered refused = api.get("/v1/outbox/refused");
    for (int i = 0; i < 2_000 && refused.json().path("items").size() < count; i++) {
      refused = api.get("/v1/outbox/refused");
    }
    assertThat(refused.json().path("items").size()).isEqualTo(count);
    return refused;
  }

  private static void destination(TestingApi api, String id, ScriptedReceiver receiver) {
    Answered made =
        api.post(
            "/v1/destinations",
            "{\"id\":\"%s\",\"tenant\":\"acme\",\"url\":\"%s\",\"types\":[]}"
                .formatted(id, receiver.uri("/")));
    assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
  }

  private static void enqueue(Statement sql, String arguments) throws SQLException {
    sql.execute("select penstock.enqueue(" + arguments + ")");
  }
}
