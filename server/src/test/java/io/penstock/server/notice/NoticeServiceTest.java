package io.penstock.server.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.config.Setting;
import io.penstock.server.testing.TestingApi;
import io.penstock.testkit.receiver.Answer;
import io.penstock.testkit.receiver.Received;
import io.penstock.testkit.receiver.ScriptedReceiver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notices as they arrive, by way of Penstock's own delivery. */
@PostgresTest
class NoticeServiceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final TestDatabase database;
  @TempDir Path folder = Path.of(".");

  NoticeServiceTest(TestDatabase database) {
    this.database = database;
  }

  private TestingApi start(ScriptedReceiver operators) throws Exception {
    Path key = Files.writeString(folder.resolve("notices.key"), KEY);
    return TestingApi.start(
        database,
        folder,
        _ -> DestinationLimits.DEFAULT,
        Map.of(
            Setting.NOTICES_URL,
            operators.uri("/ops").toString(),
            Setting.NOTICES_SECRET,
            "file:" + key,
            Setting.NOTICES_WINDOW,
            "0s"));
  }

  @Test
  @DisplayName("case 45: a sink that hangs stalls no delivery; notices come signed when it mends")
  void operatorsAreTold() throws Exception {
    try (ScriptedReceiver operators = ScriptedReceiver.start();
        ScriptedReceiver customer = ScriptedReceiver.start();
        TestingApi api = start(operators)) {
      operators.then(new Answer.Hang());
      api.post("/v1/tenants", "{\"id\":\"acme\"}");
      api.post(
          "/v1/destinations",
          "{\"id\":\"nt-a\",\"tenant\":\"acme\",\"url\":\"%s\"}".formatted(customer.uri("/")));
      api.post("/v1/destinations/nt-a/disable", "{\"reason\":\"test\"}");
      operators.await(1, PATIENCE);
      // The sink says nothing; the customer's own deliveries go on.
      api.post("/v1/destinations/nt-a/enable", "{\"reason\":\"test\"}");
      api.post(
          "/v1/events",
          "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1,\"destinations\":[\"nt-a\"]}");
      customer.await(1, PATIENCE);

      List<Received> told = operators.await(2, PATIENCE);
      Received recovered = told.get(1);
      String body = new String(recovered.body(), StandardCharsets.UTF_8);
      assertThat(body)
          .contains("\"kind\":\"recovered\"")
          .contains("\"count\":1")
          .contains("\"subject\":\"nt-a\"")
          .contains("\"tenant_id\":\"acme\"")
          .contains("\"detail\":\"disabled\"");
      assertThat(recovered.header("webhook-signature").orElse("")).startsWith("v1,");
      assertThat(new String(told.get(0).body(), StandardCharsets.UTF_8))
          .contains("\"kind\":\"disabled\"");
      assertNothingIsToldOfThemselves(api, operators);
    }
  }

  private static void assertNothingIsToldOfThemselves(TestingApi api, ScriptedReceiver operators) {
    assertThat(api.post("/v1/tenants", "{\"id\":\"penstock\"}").status()).isEqualTo(409);
    String own = ownDestination(api);
    api.post("/v1/destinations/" + own + "/pause", "{\"reason\":\"test\"}");
    api.post("/v1/destinations/nt-a/disable", "{\"reason\":\"test\"}");
    api.post("/v1/destinations/" + own + "/resume", "{\"reason\":\"test\"}");
    for (Received one : operators.await(3, PATIENCE)) {
      assertThat(new String(one.body(), StandardCharsets.UTF_8))
          .doesNotContain("penstock-notices-");
    }
  }

  private static String ownDestination(TestingApi api) {
    for (int i = 0; i < 1_000; i++) {
      var page = api.get("/v1/destinations?tenant=penstock").json();
      if (!page.path("items").isEmpty()) {
        return page.at("/items/0/id").asString("");
      }
    }
    throw new AssertionError("the notices have no destination");
  }
}
