package io.penstock.server.tube;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.host.SystemHost;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What workers do, over real HTTP. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class JobApiTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final TestingTubes tubes;

  JobApiTest(TestDatabase database, @TempDir Path folder) {
    tubes = TestingTubes.start(database, folder, "2s");
  }

  @AfterAll
  void stop() {
    tubes.close();
  }

  @Test
  void aPostedEventBecomesAJobWithItsPayloadByteForByte() {
    tubes.tube("plain", 1.0, SECOND);
    String event = tubes.post("plain", "{ \"b\" : 1, \"a\": [1,2] }");
    JsonNode job = tubes.leaseOne("plain");
    assertThat(job.path("job").asString("")).isEqualTo(event);
    assertThat(job.path("payload").toString()).isEqualTo("{\"b\":1,\"a\":[1,2]}");
    assertThat(job.path("attempt").asInt()).isEqualTo(1);
    assertThat(job.path("expected_seconds").asDouble()).isEqualTo(1);
    Answered done =
        tubes.on(job, "complete", ",\"yield\":3,\"artifacts\":[\"a.csv\"],\"result\":\"s3://x\"");
    assertThat(done.text("state")).isEqualTo("delivered");
    assertThat(tubes.state("plain", event)).isEqualTo("delivered");
    JsonNode shown = tubes.tube("plain");
    assertThat(shown.at("/runs/yielded").asLong()).isEqualTo(3);
    assertThat(shown.at("/runs/completed").asLong()).isEqualTo(1);
    assertThat(shown.path("running").asInt()).isZero();
  }

  @Test
  void whatAJobIsAboutComesWithIt() {
    tubes.tube("about", 1.0, SECOND);
    Answered posted =
        tubes.api.post(
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"t\",\"destinations\":[\"about\"],\"payload\":1,"
                + "\"item\":\"page/1\"}");
    assertThat(posted.status()).isEqualTo(202);
    assertThat(tubes.leaseOne("about").path("item").asString("")).isEqualTo("page/1");
    assertThat(tubes.api.get("/v1/events/" + posted.text("event_id")).text("item"))
        .isEqualTo("page/1");
    tubes.post("about");
    assertThat(tubes.leaseOne("about").has("item")).isFalse();
  }

  @Test
  void largePayloadsComeWithTheJobToo() {
    tubes.tube("large", 1.0, SECOND);
    tubes.post("large", "\"" + "x".repeat(100_000) + "\"");
    assertThat(tubes.leaseOne("large").path("payload").asString("")).hasSize(100_000);
  }

  @Test
  void anIdleLongPollIsAnsweredSoonAfterAnEnqueue() throws Exception {
    tubes.tube("idle", null, SECOND);
    assertThat(tubes.lease("idle", 1, 0)).isEmpty();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        SystemHost host = new SystemHost()) {
      Future<JsonNode> waiting = threads.submit(() -> tubes.lease("idle", 1, 20));
      awaitWaiting();
      long began = host.nanoTime();
      tubes.post("idle");
      assertThat(waiting.get().size()).isEqualTo(1);
      assertThat(Duration.ofNanos(host.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
    }
  }

  private void awaitWaiting() {
    while (tubes.api.server().node().tubes().waitingWorkers() == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("case 13: 64 workers that ask one tube at once get what the balance covers, no more")
  void case13_manyWorkersNeverExceedTheBalance() throws Exception {
    tubes.tube("crowd", 3.0, Duration.ofSeconds(20));
    for (int i = 0; i < 80; i++) {
      tubes.post("crowd");
    }
    List<Callable<JsonNode>> workers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String name = "crowd-" + i;
      workers.add(() -> tubes.leaseBy(name, "\"tubes\":[\"crowd\"]", 2, 0.5));
    }
    int leased = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<JsonNode> one : threads.invokeAll(workers)) {
        leased += one.get().size();
      }
    }
    assertThat(leased).as("until three are known they go one at a time").isEqualTo(1);
    assertThat(tubes.tube("crowd").path("running").asInt()).isEqualTo(1);
    assertThat(tubes.tube("crowd").path("work").path("balance_seconds").asDouble()).isLessThan(10);
  }

  @Test
  @DisplayName(
      "case 26: a late finish is refused with a stable type, and the retry is another lease")
  void case26_aLateFinishIsRefused() {
    tubes.tube("late", 5.0, SECOND);
    String event = tubes.post("late");
    JsonNode job = tubes.leaseOne("late");
    awaitState("late", event, "retrying");
    Answered late = tubes.on(job, "complete", ",\"yield\":1");
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.text("code")).isEqualTo("lease_lost");
    assertThat(late.text("type")).isEqualTo("urn:penstock:problem:lease_lost");
    assertThat(late.text("detail")).contains("ran out").contains("changed nothing");
    assertThat(tubes.on(job, "renew", "").text("code")).isEqualTo("lease_lost");
    assertThat(tubes.state("late", event)).isEqualTo("retrying");
    assertThat(tubes.tube("late").at("/runs/lost").asLong()).isEqualTo(1);
    assertThat(tubes.tube("late").path("running").asInt()).isZero();
  }

  private void awaitState(String tube, String event, String state) {
    try (SystemHost host = new SystemHost()) {
      var signal = host.newSignal();
      for (int i = 0; i < 200 && !tubes.state(tube, event).equals(state); i++) {
        signal.awaitBeyond(signal.count(), Duration.ofMillis(50));
      }
    }
    assertThat(tubes.state(tube, event)).isEqualTo(state);
  }

  @Test
  @DisplayName("case 25: a job that is renewed is not run twice, however long it takes")
  void case25_aRenewedJobKeepsItsLease() {
    tubes.tube("long", 1.0, SECOND);
    String event = tubes.post("long");
    JsonNode job = tubes.leaseOne("long");
    try (SystemHost host = new SystemHost()) {
      var signal = host.newSignal();
      for (int i = 0; i < 4; i++) {
        signal.awaitBeyond(signal.count(), Duration.ofMillis(1_200));
        Answered renewed = tubes.on(job, "renew", "");
        assertThat(renewed.status()).as(renewed.json().toString()).isEqualTo(200);
        assertThat(renewed.json().path("lease_seconds").asDouble()).isEqualTo(2);
      }
    }
    JsonNode work = tubes.tube("long").path("work");
    assertThat(work.path("charged_seconds").asDouble()).isGreaterThan(4);
    assertThat(work.path("expected_seconds").asDouble()).as("it outlived E").isGreaterThan(1);
    assertThat(tubes.on(job, "complete", "").text("state")).isEqualTo("delivered");
    assertThat(tubes.api.get("/v1/deliveries/long/" + event).json().path("attempts").size())
        .isEqualTo(1);
  }

  @Test
  void aCompletionWhoseAnswerWasLostIsAnsweredAgain() {
    tubes.tube("again", 1.0, SECOND);
    tubes.post("again");
    JsonNode job = tubes.leaseOne("again");
    assertThat(tubes.on(job, "complete", ",\"yield\":1").json().has("repeated")).isFalse();
    Answered repeated = tubes.on(job, "complete", ",\"yield\":1");
    assertThat(repeated.status()).isEqualTo(200);
    assertThat(repeated.json().path("repeated").asBoolean()).isTrue();
    assertThat(tubes.tube("again").at("/runs/yielded").asLong()).as("booked once").isEqualTo(1);
    assertThat(tubes.on(job, "fail", "").text("code")).isEqualTo("lease_lost");
  }

  @Test
  @DisplayName(
      "case 29: a job that is handed back waits again at once, with its attempts as before")
  void case29_aReleasedJobSpendsNothing() {
    tubes.tube("back", 1.0, SECOND);
    String event = tubes.post("back");
    double before = tubes.tube("back").path("work").path("balance_seconds").asDouble();
    JsonNode job = tubes.leaseOne("back");
    assertThat(tubes.on(job, "release", "").text("state")).isEqualTo("pending");
    JsonNode again = tubes.leaseOne("back");
    assertThat(again.path("job").asString("")).isEqualTo(event);
    assertThat(again.path("attempt").asInt()).isEqualTo(1);
    assertThat(again.path("lease_no").asLong()).isGreaterThan(job.path("lease_no").asLong());
    tubes.on(again, "release", "");
    assertThat(tubes.tube("back").path("work").path("balance_seconds").asDouble())
        .isGreaterThanOrEqualTo(before);
  }

  @Test
  void aFailureIsDecidedByItsOutcomeAndAHintIsObeyed() {
    tubes.tube("fails", null, SECOND);
    tubes.post("fails");
    Answered retried =
        tubes.on(tubes.leaseOne("fails"), "fail", ",\"status\":502,\"message\":\"bad gateway\"");
    assertThat(retried.text("state")).isEqualTo("retrying");
    assertThat(retried.json().has("retry_at")).isTrue();
    tubes.post("fails");
    Answered dead = tubes.on(tubes.leaseOne("fails"), "fail", ",\"outcome\":\"rejected\"");
    assertThat(dead.text("state")).isEqualTo("dead");
    assertThat(dead.text("reason")).isEqualTo("rejected");
    tubes.post("fails");
    Answered kept =
        tubes.on(
            tubes.leaseOne("fails"),
            "fail",
            ",\"outcome\":\"throttled\",\"retry_after_seconds\":20");
    assertThat(kept.text("state")).isEqualTo("pending");
    assertThat(tubes.lease("fails", 1, 0)).isEmpty();
    Answered why = tubes.api.get("/v1/destinations/fails/why");
    assertThat(why.text("code")).isEqualTo("pinned");
  }

  @Test
  void manyJobsAreRenewedAndEndedInOneCall() {
    tubes.tube("many", null, SECOND);
    for (int i = 0; i < 3; i++) {
      tubes.post("many");
    }
    JsonNode jobs = tubes.lease("many", 8, 5);
    assertThat(jobs.size()).isEqualTo(3);
    Answered renewed = tubes.work("/v1/jobs/renew", batch(jobs, ""));
    assertThat(renewed.status()).isEqualTo(200);
    assertThat(renewed.json().path("done").asInt()).isEqualTo(3);
    tubes.on(jobs.get(0), "release", "");
    Answered ended = tubes.work("/v1/jobs/complete", batch(jobs, ",\"yield\":2"));
    assertThat(ended.status()).as(ended.json().toString()).isEqualTo(207);
    assertThat(ended.json().path("done").asInt()).isEqualTo(2);
    assertThat(ended.json().at("/jobs/0/problem/code").asString("")).isEqualTo("lease_lost");
    assertThat(ended.json().at("/jobs/1/state").asString("")).isEqualTo("delivered");
  }

  private static String batch(JsonNode jobs, String more) {
    List<String> items = new ArrayList<>();
    for (JsonNode job : jobs) {
      items.add(
          "{\"tube\":\"%s\",\"job\":\"%s\",\"lease_no\":%d%s}"
              .formatted(
                  job.path("tube").asString(""),
                  job.path("job").asString(""),
                  job.path("lease_no").asLong(),
                  more));
    }
    return "{\"jobs\":[" + String.join(",", items) + "]}";
  }

  @Test
  void aPoolServesItsTubesTheLongestWaitingFirst() {
    tubes.tube("few-1", null, SECOND);
    tubes.tube("pool-young", null, SECOND);
    String first = tubes.post("few-1");
    tubes.post("pool-young");
    assertThat(tubes.leaseBy("p1", "\"pool\":\"pair\"", 1, 5).get(0).path("job").asString(""))
        .isEqualTo(first);
    tubes.post("few-1");
    JsonNode dedicated = tubes.leaseBy("p2", "\"pool\":\"few\"", 4, 5);
    assertThat(dedicated.size()).isEqualTo(1);
    assertThat(dedicated.get(0).path("tube").asString("")).isEqualTo("few-1");
    Answered unknown = tubes.work("/v1/jobs/lease", "{\"worker\":\"p3\",\"pool\":\"none\"}");
    assertThat(unknown.status()).isEqualTo(404);
    JsonNode drained = tubes.leaseBy("p1", "\"pool\":\"pair\"", 32, 1);
    drained.forEach(job -> tubes.on(job, "complete", ""));
  }

  @Test
  @DisplayName("case 16: a paused tube leases nothing and keeps everything")
  void case16_aPausedTubeLeasesNothing() throws Exception {
    tubes.tube("paused", null, SECOND);
    tubes.api.post("/v1/destinations/paused/pause", "{\"reason\":\"test\"}");
    tubes.post("paused");
    assertThat(tubes.lease("paused", 1, 0)).isEmpty();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<JsonNode> waiting = threads.submit(() -> tubes.lease("paused", 1, 20));
      awaitWaiting();
      tubes.api.post("/v1/destinations/paused/resume", "{\"reason\":\"test\"}");
      assertThat(waiting.get().size()).isEqualTo(1);
    }
  }

  @Test
  void whyTellsWhatATubeWaitsFor() {
    tubes.tube("why", 0.01, Duration.ofSeconds(30));
    assertThat(tubes.api.get("/v1/destinations/why/why").text("code")).isEqualTo("nothing_waits");
    tubes.post("why");
    assertThat(tubes.api.get("/v1/destinations/why/why").text("sentence"))
        .contains("no worker has asked");
    JsonNode job = tubes.leaseOne("why");
    assertThat(
            tubes
                .api
                .get("/v1/deliveries/why/%s/why".formatted(job.path("job").asString("")))
                .text("sentence"))
        .contains("Worker w1 has been working on it");
    tubes.on(job, "complete", "");
    tubes.post("why");
    Answered dry = tubes.api.get("/v1/destinations/why/why");
    assertThat(dry.text("code")).isEqualTo("worker_seconds");
    assertThat(dry.json().has("until")).isTrue();
    assertThat(tubes.lease("why", 1, 0)).isEmpty();
  }

  @Test
  void cancellingAHeldJobTellsItsWorkerAtTheNextCall() {
    tubes.tube("cancel", 1.0, SECOND);
    String event = tubes.post("cancel");
    JsonNode job = tubes.leaseOne("cancel");
    tubes.api.post(
        "/v1/deliveries/cancel/%s/cancel".formatted(event), "{\"reason\":\"not needed\"}");
    assertThat(tubes.on(job, "renew", "").text("code")).isEqualTo("lease_lost");
    assertThat(tubes.on(job, "complete", "").text("code")).isEqualTo("lease_lost");
    assertThat(tubes.tube("cancel").path("running").asInt()).isZero();
  }

  @Test
  @DisplayName("case 27: two workers with one name hold leases of their own")
  void case27_namesAreNoFence() {
    tubes.tube("names", null, SECOND);
    tubes.post("names");
    tubes.post("names");
    JsonNode first = tubes.leaseOne("names");
    JsonNode second = tubes.leaseOne("names");
    assertThat(tubes.on(first, "complete", "").text("state")).isEqualTo("delivered");
    assertThat(tubes.on(second, "renew", "").status()).isEqualTo(200);
    assertThat(tubes.on(second, "complete", "").text("state")).isEqualTo("delivered");
  }

  @Test
  void whatWorkersSayIsReadStrictly() {
    tubes.tube("strict", null, SECOND);
    tubes.post("strict");
    JsonNode job = tubes.leaseOne("strict");
    for (String bad :
        List.of(
            ",\"yield\":-1",
            ",\"yield\":1.5",
            ",\"no_op\":1",
            ",\"artifacts\":[\"a b\"]",
            ",\"yeild\":1",
            ",\"result\":\"%s\"".formatted("x".repeat(1_001)))) {
      assertThat(tubes.on(job, "complete", bad).text("code")).as(bad).isEqualTo("invalid_field");
    }
    assertThat(tubes.on(job, "fail", ",\"outcome\":\"gone\"").text("code"))
        .isEqualTo("invalid_field");
    assertThat(tubes.on(job, "fail", ",\"retry_after_seconds\":3601").text("code"))
        .isEqualTo("invalid_field");
    for (String bad :
        List.of(
            "{}",
            "{\"worker\":\"a b\",\"tubes\":[\"strict\"]}",
            "{\"worker\":\"w\",\"tubes\":[\"strict\"],\"pool\":\"all\"}",
            "{\"worker\":\"w\",\"tubes\":[\"strict\"],\"most\":33}",
            "{\"worker\":\"w\",\"tubes\":[\"strict\"],\"wait_seconds\":26}")) {
      assertThat(tubes.work("/v1/jobs/lease", bad).text("code")).as(bad).isEqualTo("invalid_field");
    }
    assertThat(tubes.on(job, "complete", "").status()).isEqualTo(200);
  }

  @Test
  void whatIsPushedIsNoTubeAndATubeTakesNoUrl() {
    tubes.api.post(
        "/v1/destinations",
        "{\"id\":\"pushed\",\"tenant\":\"acme\",\"url\":\"http://127.0.0.1:9/\"}");
    assertThat(tubes.work("/v1/jobs/lease", "{\"worker\":\"w\",\"tubes\":[\"pushed\"]}").status())
        .isEqualTo(404);
    assertThat(
            tubes
                .api
                .post(
                    "/v1/destinations",
                    "{\"tenant\":\"acme\",\"mode\":\"pull\",\"url\":\"http://127.0.0.1:9/\"}")
                .text("code"))
        .isEqualTo("invalid_field");
  }

  @Test
  void workersAreShownWithWhatTheyHold() {
    tubes.tube("shown", null, SECOND);
    tubes.post("shown");
    tubes.leaseBy("seen-1", "\"tubes\":[\"shown\"]", 1, 5);
    try (SystemHost host = new SystemHost()) {
      var signal = host.newSignal();
      for (int i = 0; i < 100 && !workers().contains("seen-1"); i++) {
        signal.awaitBeyond(signal.count(), Duration.ofMillis(100));
      }
    }
    assertThat(workers()).contains("seen-1");
  }

  private String workers() {
    return tubes.api.get("/v1/workers?limit=250").json().path("items").toString();
  }
}
