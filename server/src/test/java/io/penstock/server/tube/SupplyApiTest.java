package io.penstock.server.tube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.engine.rollup.Rollup;
import io.penstock.postgres.Pool;
import io.penstock.postgres.limits.Arrivals;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.rollup.RollupStore;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.postgres.worker.WorkerStore;
import io.penstock.server.cli.PenstockCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Supply and demand of pools over real HTTP, with workers that ask and arrivals of a day. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class SupplyApiTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final TestingTubes tubes;
  private final TestDatabase database;
  private final Path folder;

  SupplyApiTest(TestDatabase database, @TempDir Path folder) {
    this.tubes = TestingTubes.start(database, folder, "20s");
    this.database = database;
    this.folder = folder;
    tubes.tube("few-1", 0.5, Duration.ofSeconds(30));
    tubes.tube("pool-young", null, SECOND);
    age("few-1");
    hourly("few-1", 40);
  }

  @AfterAll
  void stop() {
    tubes.close();
  }

  /** It was there a day ago. */
  private void age(String tube) {
    try (Pool pool = Pool.open(database.settings())) {
      pool.transaction(
          Pool.Use.CALLER,
          handle ->
              handle.execute(
                  "update penstock.destination set created_at = created_at - interval '2 days'"
                      + " where destination_id = ?",
                  tube));
    }
  }

  /** So many jobs came at each of the last 24 hours. */
  private void hourly(String tube, int jobs) {
    Instant last = serverTime().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofMinutes(10));
    List<Rollup> rollups = new ArrayList<>();
    for (int hour = 0; hour < 23; hour++) {
      rollups.add(
          new Rollup(
              tube, last.minus(Duration.ofHours(hour)), jobs, 0, Map.of(), null, null, null));
    }
    try (Pool pool = Pool.open(database.settings())) {
      new RollupStore(pool).add(rollups);
    }
  }

  private Instant serverTime() {
    return Instant.parse(tubes.tube("few-1").path("as_of").asString(""));
  }

  private JsonNode pool(String name) {
    for (JsonNode pool : tubes.api.get("/v1/pools").json().path("items")) {
      if (pool.path("pool").asString("").equals(name)) {
        return pool;
      }
    }
    throw new AssertionError("no pool " + name);
  }

  private void present(String worker, String pool) {
    tubes.leaseBy(worker, "\"pool\":\"" + pool + "\"", 1, 0);
  }

  private void awaitWorkers(String pool, int workers) {
    while (pool(pool).path("workers").asInt() != workers) {
      Thread.onSpinWait();
    }
  }

  @Test
  void poolsShowWhoIsThereWhatWasPromisedAndWhatReallyArrives() {
    JsonNode alone = pool("few");
    assertThat(alone.path("size").asInt()).isEqualTo(1);
    present("s1", "few");
    present("s2", "all");
    present("s3", "all");
    present("s4", "all");
    awaitWorkers("few", 1);
    awaitWorkers("all", 3);

    JsonNode few = pool("few");
    JsonNode part = few.at("/tubes/0");
    assertThat(part.path("tube").asString("")).isEqualTo("few-1");
    assertThat(part.path("share").asDouble()).as("by workers: 1 of 4").isEqualTo(0.25);
    assertThat(part.path("arrived").asLong()).isEqualTo(23 * 40);
    assertThat(part.path("arrived_per_minute").asDouble())
        .isCloseTo(23 * 40 / 1440.0, within(0.01));
    assertThat(part.path("demand").asDouble()).isCloseTo(23 * 40 * 30 / 86_400.0, within(0.01));
    assertThat(few.path("allotted").asDouble()).isEqualTo(0.125);
    assertThat(few.path("demand").asDouble()).isCloseTo(0.08, within(0.01));
    assertThat(few.path("slack_percent").asDouble()).isCloseTo(87.5, within(0.1));
    assertThat(few.path("over_committed").asBoolean()).isFalse();

    JsonNode batch = part.path("batch");
    assertThat(batch.path("jobs").asLong()).isEqualTo(40);
    assertThat(batch.path("every_seconds").asDouble()).isEqualTo(3_600);
    assertThat(batch.path("drains_seconds").asDouble())
        .as("1,200 s, 450 of them banked, at half a worker")
        .isEqualTo(1_500);
    assertThat(batch.path("in_time").asBoolean()).isTrue();
    assertThat(batch.path("derived_from").asString("")).isEqualTo("arrivals");
    assertThat(pool("all").path("unmetered").asInt()).isPositive();
  }

  @Test
  void aPoolWithoutWorkersIsOverCommitted() {
    Limits lonely =
        new Limits() {
          @Override
          public DestinationLimits of(String destinationId) {
            return DestinationLimits.DEFAULT;
          }

          @Override
          public Map<String, PoolLimits> pools() {
            return Map.of("lonely", new PoolLimits(2, List.of("few-1"), false));
          }
        };
    try (Pool pool = Pool.open(database.settings())) {
      SupplyWatch watch =
          new SupplyWatch(
              new Supply(new TubeReads(pool), new WorkerStore(pool), new Arrivals(pool), lonely));
      watch.runOnce();
      assertThat(watch.overCommitted()).isEqualTo(1);
      assertThat(watch.slackPercent()).containsEntry("lonely", -100.0);
    }
  }

  @Test
  void suggestionsComeWithTheirReasons() {
    tubes.tube("taught", null, SECOND);
    age("taught");
    hourly("taught", 10);
    for (int i = 0; i < 3; i++) {
      tubes.post("taught");
      tubes.on(tubes.leaseOne("taught"), "complete", "");
    }
    JsonNode young = tubes.api.get("/v1/tubes/few-1/suggestion").json();
    assertThat(young.path("not_yet").asString("")).contains("fewer than three");
    assertThat(young.path("allotment").asDouble()).isEqualTo(0.5);
    JsonNode taught = tubes.api.get("/v1/tubes/taught/suggestion").json();
    assertThat(taught.has("allotment")).as("it has none").isFalse();
    assertThat(taught.at("/proposed/allotment").asDouble()).isPositive();
    assertThat(taught.at("/proposed/allotment_reason").asString("")).contains("arrived within");
    assertThat(taught.at("/proposed/capacity_reason").asString("")).contains("a batch of 10 jobs");
    assertThat(tubes.api.get("/v1/tubes/nobody/suggestion").status()).isEqualTo(404);
    assertThat(tubes.api.get("/v1/tube-suggestions").json().path("items").size())
        .isGreaterThanOrEqualTo(3);
  }

  @Test
  void aKeyOfOneTenantSeesItsTubesAndNoPools() {
    tubes.api.post("/v1/tenants", "{\"id\":\"stranger\"}");
    String reader = tubes.api.key("[\"tenant-reader\"]", "[\"stranger\"]");
    assertThat(tubes.api.call("GET", "/v1/pools", reader, null, Map.of()).status()).isEqualTo(403);
    assertThat(
            tubes
                .api
                .call("GET", "/v1/tube-suggestions", reader, null, Map.of())
                .json()
                .path("items"))
        .isEmpty();
  }

  @Test
  void theCommandsDrawIt() throws Exception {
    Path key = Files.writeString(folder.resolve("supply.key"), tubes.api.adminKey());
    assertThat(run("tubes", "supply", key)).contains("POOL", "few-1", "40 every 60.0 min");
    assertThat(run("tubes", "suggest", key)).contains("# few-1: fewer than three");
  }

  private String run(String command, String sub, Path key) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        PenstockCommand.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(
                command, sub, "--url", tubes.api.url().toString(), "--key-file", key.toString());
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }
}
