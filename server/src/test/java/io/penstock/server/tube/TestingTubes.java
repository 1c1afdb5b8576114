package io.penstock.server.tube;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.config.Setting;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server with tubes, a worker's key, and short ways to what workers do. */
final class TestingTubes implements AutoCloseable {
  /** A budget whose tokens and slots never stand in the way. */
  private static final DestinationLimits WIDE =
      DestinationLimits.DEFAULT.with(
          new BudgetSettings(100_000, 100_000, 1_000, Duration.ofSeconds(15)));

  final TestingApi api;
  final String worker;
  private final Map<String, DestinationLimits> limits;

  private TestingTubes(TestingApi api, Map<String, DestinationLimits> limits) {
    this.api = api;
    this.limits = limits;
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    this.worker = api.key("[\"worker\"]", "[]");
  }

  /** Starts a server; the pool {@code all} serves every tube, the others those that they name. */
  static TestingTubes start(TestDatabase database, Path folder, String lease) {
    Map<String, DestinationLimits> limits = new HashMap<>();
    Limits inForce =
        new Limits() {
          @Override
          public DestinationLimits of(String destinationId) {
            return limits.getOrDefault(destinationId, WIDE);
          }

          @Override
          public Map<String, PoolLimits> pools() {
            return Map.of(
                "all", new PoolLimits(3, List.of(), true),
                "pair", new PoolLimits(2, List.of("few-1", "pool-young"), false),
                "few", new PoolLimits(1, List.of("few-1"), false));
          }
        };
    return new TestingTubes(
        TestingApi.start(database, folder, inForce, Map.of(Setting.JOBS_LEASE, lease)), limits);
  }

  /** A tube; unmetered when there is no allotment. */
  void tube(String id, @Nullable Double allotment, Duration expected) {
    tube(id, allotment, expected, false);
  }

  void tube(String id, @Nullable Double allotment, Duration expected, boolean lending) {
    limits.put(
        id,
        new DestinationLimits(
            WIDE.budget(),
            WIDE.maxAttempts(),
            WIDE.ageLimit(),
            WIDE.onUnknown(),
            WIDE.retry(),
            WIDE.outcomes(),
            new TubeLimits(allotment, null, expected, 0, lending, null, null, null),
            WIDE.backlog(),
            WIDE.redrive()));
    Answered made =
        api.post(
            "/v1/destinations",
            "{\"id\":\"%s\",\"tenant\":\"acme\",\"mode\":\"pull\"}".formatted(id));
    assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
  }

  /** One more job; the id of its event. */
  String post(String tube) {
    return post(tube, "{\"n\":1}");
  }

  String post(String tube, String payload) {
    Answered posted =
        api.post(
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"t\",\"destinations\":[\"%s\"],\"payload\":%s}"
                .formatted(tube, payload));
    assertThat(posted.status()).as(posted.json().toString()).isEqualTo(202);
    return posted.text("event_id");
  }

  /** The jobs that a worker gets. */
  JsonNode lease(String tube, int most, double wait) {
    return leaseBy("w1", "\"tubes\":[\"" + tube + "\"]", most, wait);
  }

  JsonNode leaseBy(String name, String what, int most, double wait) {
    Answered answered =
        work(
            "/v1/jobs/lease",
            "{\"worker\":\"%s\",%s,\"most\":%d,\"wait_seconds\":%s}"
                .formatted(name, what, most, wait));
    assertThat(answered.status()).as(answered.json().toString()).isEqualTo(200);
    return answered.json().path("jobs");
  }

  JsonNode leaseOne(String tube) {
    JsonNode jobs = lease(tube, 1, 10);
    assertThat(jobs.size()).as(jobs.toString()).isEqualTo(1);
    return jobs.get(0);
  }

  Answered work(String path, String body) {
    return api.call("POST", path, worker, body, Map.of());
  }

  /** Ends or renews a job; {@code more} are further fields, each after a comma. */
  Answered on(JsonNode job, String action, String more) {
    return work(
        "/v1/tubes/%s/jobs/%s/%s"
            .formatted(job.path("tube").asString(""), job.path("job").asString(""), action),
        "{\"lease_no\":%d%s}".formatted(job.path("lease_no").asLong(), more));
  }

  JsonNode tube(String id) {
    return api.get("/v1/tubes/" + id).json();
  }

  String state(String tube, String event) {
    return api.get("/v1/deliveries/%s/%s".formatted(tube, event))
        .json()
        .at("/delivery/state")
        .asString("");
  }

  @Override
  public void close() {
    api.close();
  }
}
