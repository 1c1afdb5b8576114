package io.penstock.server.redrive;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import io.penstock.testkit.receiver.Answer;
import io.penstock.testkit.receiver.Received;
import io.penstock.testkit.receiver.ScriptedReceiver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Redrives over the API, with real deliveries. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedriveApiTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TestingApi api;

  RedriveApiTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @BeforeAll
  void tenant() {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    api.post("/v1/tenants", "{\"id\":\"zenith\"}");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private void destination(String id, String tenant, String url) {
    Answered made =
        api.post(
            "/v1/destinations",
            "{\"id\":\"%s\",\"tenant\":\"%s\",\"url\":\"%s\"}".formatted(id, tenant, url));
    assertThat(made.status()).isEqualTo(201);
  }

  private void event(String tenant, String destination, String key) {
    Answered posted =
        api.post(
            "/v1/events",
            "{\"tenant\":\"%s\",\"type\":\"order.paid\",\"payload\":1,\"destinations\":[\"%s\"],\"idempotency_key\":\"%s\"}"
                .formatted(tenant, destination, key));
    assertThat(posted.status()).as(posted.json().toString()).isIn(200, 201, 202);
  }

  private JsonNode await(String path, Predicate<JsonNode> until) throws InterruptedException {
    JsonNode last = api.get(path).json();
    for (int i = 0; i < PATIENCE.toMillis() / 50 && !until.test(last); i++) {
      boolean never = new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
      assertThat(never).isFalse();
      last = api.get(path).json();
    }
    assertThat(until.test(last)).as(last.toString()).isTrue();
    return last;
  }

  private void awaitDead(String destination, int count) throws InterruptedException {
    await(
        "/v1/deliveries?destination=" + destination + "&state=dead",
        page -> page.path("items").size() == count);
  }

  private String start(String body) {
    Answered started = api.post("/v1/redrives", body);
    assertThat(started.status()).as(started.json().toString()).isEqualTo(201);
    return started.json().at("/items/0/id").asString("");
  }

  @Test
  @DisplayName("case 19: a redrive keeps event id and idempotency key, and starts afresh")
  void aRedriveSendsTheSameEventUnderTheSameKey() throws Exception {
    try (ScriptedReceiver receiver = ScriptedReceiver.start()) {
      receiver.then(Answer.status(400), Answer.status(400), Answer.status(400));
      destination("rd-same", "acme", receiver.uri("/").toString());
      for (int i = 0; i < 3; i++) {
        event("acme", "rd-same", "key-" + i);
      }
      awaitDead("rd-same", 3);

      JsonNode plan =
          api.post(
                  "/v1/redrives/plan",
                  "{\"destination\":\"rd-same\",\"statuses\":[400]," + "\"rate_per_minute\":6000}")
              .json()
              .at("/items/0");
      assertThat(plan.path("matched").asInt(0)).isEqualTo(3);
      assertThat(plan.path("exact").asBoolean(false)).isTrue();
      assertThat(plan.path("estimated_seconds").asInt(0)).isEqualTo(1);
      assertThat(plan.path("sample").size()).isEqualTo(3);

      String id = start("{\"destination\":\"rd-same\",\"statuses\":[400],\"reason\":\"mended\"}");
      JsonNode done =
          await("/v1/redrives/" + id, task -> task.at("/counts/delivered").asInt(0) == 3);
      assertThat(done.path("matched").asInt(0)).isEqualTo(3);
      await("/v1/redrives/" + id, task -> task.path("state").asString("").equals("completed"));

      List<Received> all = receiver.await(6, PATIENCE);
      for (Received again : all.subList(3, 6)) {
        String webhookId = again.header("webhook-id").orElseThrow();
        Received first =
            all.subList(0, 3).stream()
                .filter(one -> one.header("webhook-id").orElseThrow().equals(webhookId))
                .findFirst()
                .orElseThrow();
        assertThat(again.header("idempotency-key"))
            .isPresent()
            .isEqualTo(first.header("idempotency-key"));
        assertThat(again.body()).isEqualTo(first.body());
        JsonNode delivery = api.get("/v1/deliveries/rd-same/" + webhookId).json().path("delivery");
        assertThat(delivery.path("attempts").asInt(0)).isEqualTo(1);
        assertThat(delivery.path("redrives").asInt(0)).isEqualTo(1);
        assertThat(delivery.path("lane").asString("")).isEqualTo("redrive");
      }
      JsonNode events = api.get("/v1/redrives/" + id + "/events?outcome=delivered").json();
      assertThat(events.path("items").size()).isEqualTo(3);
    }
  }

  @Test
  @DisplayName("case 20: what dies again is not taken again, and the canary ends the rest")
  void aFailingCanaryEndsIt() throws Exception {
    try (ScriptedReceiver receiver = ScriptedReceiver.start(_ -> Answer.status(400))) {
      destination("rd-bad", "acme", receiver.uri("/").toString());
      for (int i = 0; i < 6; i++) {
        event("acme", "rd-bad", "bad-" + i);
      }
      awaitDead("rd-bad", 6);
      String id =
          start(
              "{\"destination\":\"rd-bad\",\"canary\":{\"first\":2,\"percent\":50},"
                  + "\"reason\":\"try\"}");
      JsonNode end =
          await("/v1/redrives/" + id, task -> task.path("state").asString("").equals("aborted"));
      assertThat(end.path("waits_for").asString("")).isEqualTo("canary_failed");
      assertThat(end.at("/counts/released").asInt(0)).isEqualTo(2);
      assertThat(end.path("explanation").asString("")).contains("2 failed");
      assertThat(receiver.received()).hasSize(8);
    }
  }

  @Test
  @DisplayName("case 21: a redrive is stored, can be paused, resumed and cancelled, one at a time")
  void aRedriveIsSteered() throws Exception {
    try (ScriptedReceiver receiver = ScriptedReceiver.start()) {
      destination("rd-steer", "acme", receiver.uri("/").toString());
      api.post("/v1/destinations/rd-steer/disable", "{\"reason\":\"test\"}");
      for (int i = 0; i < 5; i++) {
        event("acme", "rd-steer", "steer-" + i);
      }
      awaitDead("rd-steer", 5);
      api.post("/v1/destinations/rd-steer/enable", "{\"reason\":\"test\"}");
      String id =
          start(
              "{\"destination\":\"rd-steer\",\"rate_per_minute\":1,\"canary\":{\"first\":0},"
                  + "\"reason\":\"slowly\"}");
      Answered second =
          api.post("/v1/redrives", "{\"destination\":\"rd-steer\",\"reason\":\"again\"}");
      assertThat(second.status()).isEqualTo(409);
      assertThat(second.text("code")).isEqualTo("redrive_active");
      assertThat(second.text("detail")).contains(id);

      assertThat(steer(id, "pause").text("state")).isEqualTo("paused");
      assertThat(steer(id, "pause").status()).isEqualTo(409);
      Answered resumed = steer(id, "resume");
      assertThat(resumed.text("state")).isIn("starting", "running");
      assertThat(resumed.text("explanation")).startsWith("resumed by ");
      JsonNode counted = await("/v1/redrives/" + id, task -> task.has("matched"));
      assertThat(counted.path("matched").asInt(0)).isEqualTo(5);
      JsonNode active = api.get("/v1/redrives?active=true&destination=rd-steer").json();
      assertThat(active.at("/items/0/id").asString("")).isEqualTo(id);
      assertThat(steer(id, "cancel").text("state")).isEqualTo("cancelled");
      assertThat(steer(id, "resume").text("code")).isEqualTo("wrong_state");
      assertThat(
              api.get("/v1/redrives?active=true&destination=rd-steer").json().path("items").size())
          .isZero();
      assertThat(api.get("/v1/redrives/" + id).text("ended_at")).isNotEmpty();
    }
  }

  private Answered steer(String id, String verb) {
    return api.post("/v1/redrives/%s/%s".formatted(id, verb), "{\"reason\":\"test\"}");
  }

  @Test
  @DisplayName(
      "case 22: into an outage a redrive burns no attempts: the destination parks, all waits")
  void anOutageBurnsNothing() throws Exception {
    try (ScriptedReceiver receiver = ScriptedReceiver.start(_ -> Answer.throttled(300))) {
      destination("rd-out", "acme", receiver.uri("/").toString());
      api.post("/v1/destinations/rd-out/disable", "{\"reason\":\"test\"}");
      for (int i = 0; i < 10; i++) {
        event("acme", "rd-out", "out-" + i);
      }
      awaitDead("rd-out", 10);
      api.post("/v1/destinations/rd-out/enable", "{\"reason\":\"test\"}");
      String id =
          start(
              "{\"destination\":\"rd-out\",\"canary\":{\"first\":0},"
                  + "\"abort\":{\"percent\":10,\"after\":1},\"reason\":\"too soon\"}");
      await("/v1/redrives/" + id, task -> task.at("/counts/released").asInt(0) == 10);
      receiver.await(1, PATIENCE);
      await("/v1/destinations/rd-out", found -> found.path("state").asString("").equals("parked"));
      JsonNode task = api.get("/v1/redrives/" + id).json();
      assertThat(task.at("/counts/waiting").asInt(0)).isEqualTo(10);
      assertThat(task.path("state").asString("")).isNotEqualTo("aborted");
      for (JsonNode one : api.get("/v1/deliveries?destination=rd-out").json().path("items")) {
        assertThat(one.path("attempts").asInt(-1)).isZero();
        assertThat(one.path("state").asString("")).isIn("pending", "leased");
      }
    }
  }

  @Test
  void aTenantsRedriveIsOneForEachOfItsDestinationsThatHasAny() throws Exception {
    try (ScriptedReceiver receiver = ScriptedReceiver.start()) {
      for (String id : List.of("rd-t1", "rd-t2", "rd-t3")) {
        destination(id, "zenith", receiver.uri("/").toString());
        api.post("/v1/destinations/" + id + "/disable", "{\"reason\":\"test\"}");
      }
      event("zenith", "rd-t1", "t1");
      event("zenith", "rd-t2", "t2");
      awaitDead("rd-t1", 1);
      awaitDead("rd-t2", 1);
      for (String id : List.of("rd-t1", "rd-t2", "rd-t3")) {
        api.post("/v1/destinations/" + id + "/enable", "{\"reason\":\"test\"}");
      }
      String key = api.key("[\"tenant-replay\"]", "[\"zenith\"]");
      Answered started =
          api.call(
              "POST", "/v1/redrives", key, "{\"tenant\":\"zenith\",\"reason\":\"own\"}", Map.of());
      assertThat(started.status()).isEqualTo(201);
      assertThat(started.json().path("items").size()).isEqualTo(2);
      receiver.await(2, PATIENCE);
    }
  }

  @Test
  void aMistakeIsToldWithWhatIsAllowed() {
    destination("rd-err", "acme", "http://127.0.0.1:9999/");
    assertFault("{\"reason\":\"x\"}", "destination");
    assertFault("{\"destination\":\"rd-err\"}", "reason");
    assertFault("{\"destination\":\"rd-err\",\"reason\":\"x\",\"rate\":5}", "rate");
    assertFault("{\"destination\":\"rd-err\",\"reason\":\"x\",\"reasons\":[\"bad\"]}", "reasons");
    assertFault("{\"destination\":\"rd-err\",\"reason\":\"x\",\"statuses\":[1000]}", "statuses");
    assertFault(
        "{\"destination\":\"rd-err\",\"reason\":\"x\",\"canary\":{\"firts\":1}}", "canary.firts");
    assertFault(
        "{\"destination\":\"rd-err\",\"reason\":\"x\",\"abort\":{\"percent\":101}}",
        "abort.percent");
    assertFault(
        "{\"destination\":\"rd-err\",\"reason\":\"x\",\"died_from\":\"yesterday\"}", "died_from");
    assertFault(
        "{\"destination\":\"rd-err\",\"reason\":\"x\",\"died_from\":\"2026-01-02T00:00:00Z\","
            + "\"died_before\":\"2026-01-01T00:00:00Z\"}",
        "died_from");
    assertThat(api.get("/v1/redrives?cursor=bm9uc2Vuc2U").status()).isEqualTo(400);
    assertThat(api.get("/v1/redrives/rdr_none").status()).isEqualTo(404);
  }

  private void assertFault(String body, String field) {
    Answered answered = api.post("/v1/redrives", body);
    assertThat(answered.status()).as(body).isEqualTo(422);
    assertThat(answered.json().at("/errors/0/field").asString("")).startsWith(field);
  }
}
