package io.penstock.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What producers and operators do, over HTTP on Postgres. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiTest {
  private static final int PATIENCE_SECONDS = 20;

  private final BlockingQueue<byte[]> arrived = new LinkedBlockingQueue<>();
  private final Receiver receiver =
      new Receiver(
          0,
          (_, body) -> {
            arrived.add(body);
            return Reply.of(204);
          });
  private final TestingApi api;

  ApiTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @BeforeAll
  void aTenantWithAReceiver() {
    assertThat(api.post("/v1/tenants", "{\"id\":\"acme\",\"name\":\"Acme\"}").status())
        .isEqualTo(201);
    destination("live", receiver.url(), "\"types\":[\"only.live\"]");
    // Nothing listens there, and nothing is sent: it is paused before anything is posted.
    destination("still", "http://127.0.0.1:9999/", "\"headers\":{\"X-Kept\":\"Yes\"}");
    assertThat(api.post("/v1/destinations/still/pause", "{\"reason\":\"test\"}").status())
        .isEqualTo(200);
  }

  @AfterAll
  void stop() {
    api.close();
    receiver.close();
  }

  private void destination(String id, String url, String more) {
    Answered made =
        api.post(
            "/v1/destinations",
            "{\"id\":\"%s\",\"tenant\":\"acme\",\"url\":\"%s\",%s}".formatted(id, url, more));
    assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
  }

  private Answered postStill(String more) {
    return api.post(
        "/v1/events",
        "{\"tenant\":\"acme\",\"type\":\"a.b\",\"payload\":1,\"destinations\":[\"still\"]%s}"
            .formatted(more));
  }

  @Test
  @DisplayName("case 33: what arrives is byte for byte what was posted")
  void anEventArrivesAsItWasPosted() throws InterruptedException {
    String payload = "{\"z\" : 1.50e+2,\t\"a\":\"\\u00e9é\", \"z\":[ ] }";
    Answered posted =
        api.post(
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"order.paid\",\"destinations\":[\"live\"],\"payload\":%s}"
                .formatted(payload));
    assertThat(posted.status()).isEqualTo(202);
    assertThat(arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(payload.getBytes(UTF_8));
    Answered kept = api.get("/v1/events/%s/payload".formatted(posted.text("event_id")));
    assertThat(kept.response().body()).isEqualTo(payload.getBytes(UTF_8));
  }

  @Test
  void anEventCanBeSeen() {
    String id =
        postStill(",\"headers\":{\"X-A\":\"b\"},\"idempotency_key\":\"seen\"").text("event_id");
    Answered event = api.get("/v1/events/" + id);
    assertThat(event.text("type")).isEqualTo("a.b");
    assertThat(event.text("idempotency_key")).isEqualTo("seen");
    assertThat(event.json().path("destinations").path(0).asString("")).isEqualTo("still");
    assertThat(event.json().path("size").asInt(0)).isEqualTo(1);
  }

  @Test
  void anEventThatNobodyHearsIsAcceptedAllTheSame() {
    api.post("/v1/tenants", "{\"id\":\"lonely\"}");
    Answered posted =
        api.post("/v1/events", "{\"tenant\":\"lonely\",\"type\":\"t\",\"payload\":1}");
    assertThat(posted.status()).isEqualTo(202);
    assertThat(posted.json().path("deliveries").size()).isZero();
  }

  @Test
  void theSameKeyWithTheSameBytesAnswersAsTheFirstDid() {
    Answered first = postStill(",\"idempotency_key\":\"k-1\"");
    Answered again = postStill(",\"idempotency_key\":\"k-1\"");
    assertThat(again.status()).isEqualTo(first.status()).isEqualTo(202);
    assertThat(again.json()).isEqualTo(first.json());
    assertThat(first.header("Idempotent-Replayed")).isEmpty();
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
  }

  @Test
  void theKeyMayComeInTheHeaderQuotedOrBare() {
    String body =
        "{\"tenant\":\"acme\",\"type\":\"a.b\",\"payload\":1,\"destinations\":[\"still\"]}";
    Answered bare =
        api.call("POST", "/v1/events", api.adminKey(), body, Map.of("Idempotency-Key", "k-2"));
    Answered quoted =
        api.call("POST", "/v1/events", api.adminKey(), body, Map.of("Idempotency-Key", "\"k-2\""));
    assertThat(quoted.text("event_id")).isEqualTo(bare.text("event_id")).isNotEmpty();
  }

  @Test
  void theSameKeyWithOtherBytesIsRefused() {
    postStill(",\"idempotency_key\":\"k-3\"");
    Answered other =
        api.post(
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"a.b\",\"payload\":2,\"idempotency_key\":\"k-3\"}");
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.text("code")).isEqualTo("idempotency_key_reused");
  }

  @Test
  @DisplayName("case 31: many posts of one key at once make one event and get one answer")
  void postsOfOneKeyAtOnceMakeOneEvent() throws Exception {
    int posts = 16;
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Answered>> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < posts; i++) {
        answers.add(
            threads.submit(() -> {
              go.await();
              return postStill(",\"idempotency_key\":\"k-4\"");
            }));
      }
      go.countDown();
    }
    Set<String> events = new HashSet<>();
    int replays = 0;
    for (Future<Answered> answer : answers) {
      assertThat(answer.get().status()).isEqualTo(202);
      events.add(answer.get().text("event_id"));
      replays += answer.get().header("Idempotent-Replayed").isEmpty() ? 0 : 1;
    }
    assertThat(events).hasSize(1);
    assertThat(replays).isEqualTo(posts - 1);
    assertThat(
            api.get("/v1/deliveries?event=" + events.iterator().next()).json().path("items").size())
        .isEqualTo(1);
  }

  @Test
  void aBatchAnswersForEachOfItsEvents() {
    Answered batch =
        api.post(
            "/v1/events/batch",
            """
            {"events":[
              {"tenant":"acme","type":"t","payload":1,"destinations":["still"]},
              {"tenant":"acme","type":"t","payload":1,"destinations":["nowhere"]},
              {"tenant":"nobody","type":"t","payload":1}]}\
            """);
    assertThat(batch.status()).isEqualTo(207);
    assertThat(batch.json().path("accepted").asInt(0)).isEqualTo(1);
    assertThat(batch.json().path("refused").asInt(0)).isEqualTo(2);
    assertThat(batch.json().at("/items/0/status").asInt(0)).isEqualTo(202);
    assertThat(batch.json().at("/items/1/problem/errors/0/field").asString(""))
        .isEqualTo("events[1].destinations");
    assertThat(batch.json().at("/items/2/problem/errors/0/field").asString(""))
        .isEqualTo("events[2].tenant");
  }

  @Test
  @DisplayName("case 44: lists go on where the page before ended, newest first, none twice")
  void deliveriesAreListedPageByPage() {
    destination("pages", "http://127.0.0.1:9999/", "\"types\":[\"only.pages\"]");
    api.post("/v1/destinations/pages/pause", "{\"reason\":\"test\"}");
    List<String> posted = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      posted.add(
          api.post("/v1/events", "{\"tenant\":\"acme\",\"type\":\"only.pages\",\"payload\":1}")
              .text("event_id"));
    }
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      Answered page = api.get("/v1/deliveries?destination=pages&limit=3" + cursor);
      assertThat(page.json().path("items").size()).isLessThanOrEqualTo(3);
      page.json().path("items").forEach(item -> seen.add(item.path("event_id").asString("")));
      cursor = "&cursor=" + page.text("next_cursor");
      assertThat(page.json().path("has_more").asBoolean(true))
          .isEqualTo(page.json().has("next_cursor"));
    } while (!cursor.equals("&cursor="));
    assertThat(seen).isEqualTo(posted.reversed());
  }

  @Test
  @DisplayName("case 16: a pause keeps everything, and what waits shows it")
  void aPausedDestinationKeepsItsDeliveries() {
    String id = postStill("").text("event_id");
    Answered delivery = api.get("/v1/deliveries/still/" + id);
    assertThat(delivery.json().at("/delivery/state").asString("")).isEqualTo("paused");
    Answered why = api.get("/v1/deliveries/still/%s/why".formatted(id));
    assertThat(why.text("code")).isEqualTo("paused");
    assertThat(why.text("sentence")).startsWith("The destination is paused since ");
    assertThat(why.json().at("/numbers/reason").asString("")).isEqualTo("test");
    Answered again = api.post("/v1/destinations/still/pause", "{\"reason\":\"twice\"}");
    assertThat(again.json().path("changed").asBoolean(true)).isFalse();
    assertThat(again.json().path("waiting").asInt(0)).isPositive();
  }

  @Test
  void aResumedDestinationDelivers() throws InterruptedException {
    BlockingQueue<byte[]> mine = new LinkedBlockingQueue<>();
    try (Receiver own =
        new Receiver(
            0,
            (_, body) -> {
              mine.add(body);
              return Reply.of(200);
            })) {
      destination("resumed", own.url(), "\"types\":[\"only.resumed\"]");
      api.post("/v1/destinations/resumed/pause", "{\"reason\":\"test\"}");
      String id =
          api.post("/v1/events", "{\"tenant\":\"acme\",\"type\":\"only.resumed\",\"payload\":5}")
              .text("event_id");
      assertThat(api.get("/v1/deliveries/resumed/" + id).json().at("/delivery/attempts").asInt(9))
          .isZero();
      api.post("/v1/destinations/resumed/resume", "{\"reason\":\"test\"}");
      assertThat(mine.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("5".getBytes(UTF_8));
    }
  }

  @Test
  void aDeliveryIsMovedOnlyFromTheStatesThatAllowIt() {
    String one = "/v1/deliveries/still/" + postStill("").text("event_id");
    Answered redriven = api.post(one + "/redrive", "{}");
    assertThat(redriven.status()).isEqualTo(409);
    assertThat(redriven.text("detail")).contains("dead").contains("pending");
    Answered cancelled = api.post(one + "/cancel", "{\"reason\":\"not wanted\"}");
    assertThat(cancelled.status()).isEqualTo(200);
    assertThat(cancelled.text("state")).isEqualTo("cancelled");
    assertThat(api.post(one + "/cancel", "{}").status()).isEqualTo(409);
  }

  @Test
  void aDestinationShowsItsBudgetAndNeverASecret() {
    Answered made =
        api.post(
            "/v1/destinations",
            "{\"tenant\":\"acme\",\"url\":\"https://example.com/hook\",\"generate_secret\":true}");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("secret")).startsWith("whsec_");
    assertThat(made.text("id")).startsWith("dst_");
    Answered shown = api.get("/v1/destinations/" + made.text("id"));
    assertThat(shown.json().has("secret")).isFalse();
    assertThat(shown.json().at("/secrets/0").asString("")).startsWith("file:/");
    assertThat(shown.json().at("/budget/ceiling_per_second").asDouble(0)).isEqualTo(50);
    assertThat(shown.text("state")).isEqualTo("flowing");
  }

  @Test
  @DisplayName("case 37: a URL that the guard refuses never becomes a destination")
  void aRefusedAddressIsNamedWithTheSettingThatAllowsIt() {
    Answered refused =
        api.post("/v1/destinations", "{\"tenant\":\"acme\",\"url\":\"http://169.254.169.254/\"}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("code")).isEqualTo("address_refused");
    assertThat(refused.text("detail")).contains("egress.allow");
  }

  @Test
  void aDeletedDestinationIsFoundNoMoreAndItsIdStaysTaken() {
    destination("doomed", "http://127.0.0.1:9999/", "\"types\":[]");
    assertThat(api.post("/v1/destinations/doomed/delete", "{\"reason\":\"test\"}").status())
        .isEqualTo(200);
    assertThat(api.get("/v1/destinations/doomed").status()).isEqualTo(404);
    assertThat(
            api.post(
                    "/v1/destinations",
                    "{\"id\":\"doomed\",\"tenant\":\"acme\",\"url\":\"http://127.0.0.1:9999/\"}")
                .status())
        .isEqualTo(409);
  }

  @Test
  void aSubscriptionCanBeSeenAndChanged() {
    assertThat(api.get("/v1/destinations/live/subscription").json().path("subscribed").asBoolean())
        .isTrue();
    assertThat(api.get("/v1/destinations/still/subscription").json().path("subscribed").asBoolean())
        .isFalse();
    destination("hears", "http://127.0.0.1:9999/", "\"types\":[\"a.a\"]");
    Answered put =
        api.call(
            "PUT",
            "/v1/destinations/hears/subscription",
            api.adminKey(),
            "{\"types\":[\"b.b\"]}",
            Map.of());
    assertThat(put.status()).isEqualTo(200);
    assertThat(api.get("/v1/destinations/hears/subscription").json().at("/types/0").asString(""))
        .isEqualTo("b.b");
  }

  @Test
  void aKeyWorksUntilItIsRevokedAndIsShownOnce() {
    String key = api.key("[\"operator\"]", "[]");
    assertThat(api.call("GET", "/v1/destinations", key, null, Map.of()).status()).isEqualTo(200);
    assertThat(api.call("POST", "/v1/tenants", key, "{\"id\":\"x\"}", Map.of()).status())
        .isEqualTo(403);
    assertThat(api.get("/v1/keys").json().toString()).doesNotContain(key);
    String id = key.substring(0, 11);
    assertThat(api.post("/v1/keys/%s/revoke".formatted(id), "{}").status()).isEqualTo(200);
    assertThat(api.call("GET", "/v1/destinations", key, null, Map.of()).status()).isEqualTo(401);
  }

  @Test
  void aProducerMayLeaveItsOnlyTenantOut() {
    String key = api.key("[\"producer\"]", "[\"acme\"]");
    String body = "{\"type\":\"t\",\"payload\":1,\"destinations\":[\"still\"]}";
    assertThat(api.call("POST", "/v1/events", key, body, Map.of()).status()).isEqualTo(202);
    assertThat(api.post("/v1/events", body).status()).isEqualTo(422);
  }

  @Test
  void everyAnswerHasARequestIdAndTakesTheCallersOwn() {
    assertThat(api.get("/v1/tenants/acme").header("X-Request-Id")).startsWith("req_");
    Answered named =
        api.call("GET", "/v1/tenants/none", api.adminKey(), null, Map.of("X-Request-Id", "mine-7"));
    assertThat(named.header("X-Request-Id")).isEqualTo("mine-7");
    assertThat(named.text("request_id")).isEqualTo("mine-7");
  }

  @Test
  void healthIsTold() {
    assertThat(api.get("/livez").status()).isEqualTo(200);
    Answered ready = api.get("/readyz?verbose");
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.json().at("/checks/postgres").asString("")).isEqualTo("ok");
  }
}
