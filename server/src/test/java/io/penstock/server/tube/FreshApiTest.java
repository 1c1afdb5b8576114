package io.penstock.server.tube;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Freshness over real HTTP: what a producer asks for, what a worker says, what is answered. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class FreshApiTest {
  private static final String FRESH = ",\"fresh_for\":\"6h\"";

  private final TestingTubes tubes;

  FreshApiTest(TestDatabase database, @TempDir Path folder) {
    tubes = TestingTubes.start(database, folder, "20s");
  }

  @AfterAll
  void stop() {
    tubes.close();
  }

  private static String event(String tube, String item, String more) {
    return "{\"tenant\":\"acme\",\"type\":\"t\",\"destinations\":[\"%s\"],\"payload\":1,\"item\":\"%s\"%s}"
        .formatted(tube, item, more);
  }

  private Answered post(String tube, String item, String more) {
    Answered answered = tubes.api.post("/v1/events", event(tube, item, more));
    assertThat(answered.status()).as(answered.json().toString()).isEqualTo(202);
    return answered;
  }

  /** Runs a job about this item to its end; its id. */
  private String run(String tube, String item, String action, String said) {
    String posted = post(tube, item, "").text("event_id");
    JsonNode job = tubes.leaseOne(tube);
    assertThat(job.path("item").asString("")).isEqualTo(item);
    assertThat(tubes.on(job, action, said).status()).isEqualTo(200);
    return posted;
  }

  private void assertGoes(String tube, String item, String more) {
    Answered answered = post(tube, item, FRESH + more);
    assertThat(answered.json().has("suppressed")).as(answered.json().toString()).isFalse();
    assertThat(answered.json().path("deliveries").size()).isEqualTo(1);
  }

  private String metrics() {
    Answered scraped =
        tubes.api.call(
            "GET", "/metrics", tubes.api.adminKey(), null, Map.of("Accept", "text/plain"));
    return new String(scraped.response().body(), StandardCharsets.UTF_8);
  }

  @Test
  void aFreshItemIsNotQueuedAndTheAnswerNamesTheRun() {
    tubes.tube("fresh", null, Duration.ofSeconds(1));
    String job =
        run("fresh", "page/1", "complete", ",\"yield\":3,\"artifacts\":[\"b.html\",\"a.csv\"]");

    Answered answered = post("fresh", "page/1", FRESH + ",\"requires\":[\"b.html\"]");

    assertThat(answered.json().path("deliveries").size()).isZero();
    JsonNode suppressed = answered.json().at("/suppressed/0");
    assertThat(suppressed.path("destination_id").asString("")).isEqualTo("fresh");
    assertThat(suppressed.at("/run/job").asString("")).isEqualTo(job);
    assertThat(suppressed.at("/run/lease_no").asLong()).isEqualTo(1);
    assertThat(suppressed.at("/run/completed_at").asString("")).isNotEmpty();
    assertThat(suppressed.at("/run/artifacts").values().stream().map(a -> a.asString("")))
        .containsExactly("a.csv", "b.html");
    assertThat(tubes.lease("fresh", 1, 0)).isEmpty();
    JsonNode shown = tubes.api.get("/v1/events/" + answered.text("event_id")).json();
    assertThat(shown.path("suppressed")).as("it can be looked up").hasSize(1);
    assertThat(shown.path("destinations")).isEmpty();
    assertThat(metrics()).contains("penstock_suppressed_total");
  }

  @Test
  void itsIdempotencyKeyGetsTheSameAnswerAgain() {
    tubes.tube("keyed", null, Duration.ofSeconds(1));
    run("keyed", "page/1", "complete", "");
    Answered first = post("keyed", "page/1", FRESH + ",\"idempotency_key\":\"k\"");
    assertThat(first.json().path("suppressed")).hasSize(1);
    run("keyed", "page/1", "complete", ",\"yield\":1");
    Answered again = post("keyed", "page/1", FRESH + ",\"idempotency_key\":\"k\"");
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(again.json()).isEqualTo(first.json());
  }

  @Test
  void runsThatFailedWereEmptyOrPartialNeverSuppress() {
    tubes.tube("stale", null, Duration.ofSeconds(1));
    run("stale", "failed", "fail", ",\"outcome\":\"rejected\"");
    run("stale", "no-op", "complete", ",\"no_op\":true");
    run("stale", "empty", "complete", ",\"yield\":0");
    run("stale", "partial", "complete", ",\"yield\":5,\"partial\":true");
    run("stale", "less", "complete", ",\"yield\":5,\"artifacts\":[\"a\"]");
    for (String item : List.of("failed", "no-op", "empty", "partial", "never")) {
      assertGoes("stale", item, "");
    }
    assertGoes("stale", "less", ",\"requires\":[\"a\",\"b\"]");
  }

  @Test
  void aBatchIsAnsweredItemByItem() {
    tubes.tube("batch", null, Duration.ofSeconds(1));
    run("batch", "page/1", "complete", "");
    Answered answered =
        tubes.api.post(
            "/v1/events/batch",
            "{\"events\":[%s,%s]}"
                .formatted(event("batch", "page/1", FRESH), event("batch", "page/2", FRESH)));
    assertThat(answered.status()).isEqualTo(202);
    JsonNode items = answered.json().path("items");
    assertThat(items.get(0).path("suppressed")).hasSize(1);
    assertThat(items.get(0).path("deliveries")).isEmpty();
    assertThat(items.get(1).has("suppressed")).isFalse();
    assertThat(items.get(1).path("deliveries")).hasSize(1);
  }

  @Test
  void aBatchOfCompletionsLeavesEachItemFresh() {
    tubes.tube("many", null, Duration.ofSeconds(1));
    post("many", "page/1", "");
    post("many", "page/2", "");
    StringBuilder jobs = new StringBuilder();
    for (JsonNode job : tubes.lease("many", 2, 10)) {
      jobs.append(jobs.isEmpty() ? "" : ",")
          .append(
              "{\"tube\":\"many\",\"job\":\"%s\",\"lease_no\":1,\"artifacts\":[\"a\"]}"
                  .formatted(job.path("job").asString("")));
    }
    assertThat(tubes.work("/v1/jobs/complete", "{\"jobs\":[" + jobs + "]}").status())
        .isEqualTo(200);
    for (String item : List.of("page/1", "page/2")) {
      assertThat(post("many", item, FRESH + ",\"requires\":[\"a\"]").json().path("suppressed"))
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"fresh_for\":\"6h\"",
        "\"item\":\"x\",\"requires\":[\"a\"]",
        "\"item\":\"x\",\"fresh_for\":\"31d\"",
        "\"item\":\"x\",\"fresh_for\":\"999ms\"",
        "\"item\":\"x\",\"fresh_for\":6",
        "\"item\":\"x\",\"fresh_for\":\"6h\",\"requires\":[]",
        "\"item\":\"x\",\"fresh_for\":\"6h\",\"requires\":[\"a b\"]",
        "\"item\":\"x\",\"fresh_for\":\"6h\",\"requires\":[\"a\",\"a\"]",
        "\"item\":\"x\",\"fresh_for\":\"6h\",\"requires\":\"a\"",
      })
  void whatMakesNoSenseIsRefused(String fields) {
    Answered answered =
        tubes.api.post(
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1,%s}".formatted(fields));
    assertThat(answered.status()).isEqualTo(422);
    assertThat(answered.text("code")).isEqualTo("invalid_field");
  }
}
