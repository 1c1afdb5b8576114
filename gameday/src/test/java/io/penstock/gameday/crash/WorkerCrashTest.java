package io.penstock.gameday.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.gameday.load.HttpConnection;
import io.penstock.gameday.load.RunLog;
import io.penstock.gameday.stand.Home;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Worker processes that are killed with -9 while they hold leases, on the server as it is. */
class WorkerCrashTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String POOL = "pool";
  private static final String TUBE = "crawl";
  private static final int WORKERS = 4;
  private static final int KILLED = 2;
  private static final int JOBS = 6;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final String LIMITS =
      """
      destinations:
        crawl:
          rate_per_second: 1000
          burst: 1000
          retry:
            base: 100ms
            factor: 1
          worker_seconds:
            allotment: 10
            expected_duration: 100ms
      pools:
        pool:
          size: 4
          destinations: [crawl]
      """;

  @TempDir Path folder;

  /** An attempt as the ledger has it. */
  private record Booked(String event, long leaseNo, double seconds, String outcome) {}

  @Test
  @Timeout(300)
  @DisplayName("case 24: what workers killed with -9 held comes back, is paid for and done once")
  void case24_killed_workers_lose_their_leases_and_nothing_else() throws Exception {
    assumeTrue(Home.find().hasServer(), "the server is not built; ./penstock verify builds it");
    try (Stand stand = Stand.withOwnPostgres(folder, LIMITS)) {
      stand.set("PENSTOCK_JOBS_LEASE", LEASE.toSeconds() + "s");
      stand.startServer();
      stand.makeTube(TUBE);
      List<Stand.Loading> workers = new ArrayList<>();
      for (int n = 0; n < WORKERS; n++) {
        workers.add(stand.startPoolWorker("worker-" + n, POOL, log(n)));
      }
      post(stand, 4, 0.1); // as many as teach it what a job takes, so that several run at once
      awaitOpen(stand, 0);
      post(stand, JOBS, 4);
      List<RunLog.Run> held = awaitHeld();
      for (int n = 0; n < KILLED; n++) {
        workers.get(n).child().killHard();
      }
      long killed = Stand.nanos();
      await("two lost leases", () -> booked(stand, "lease_lost").size() == KILLED);
      assertThat(Duration.ofNanos(Stand.nanos() - killed))
          .as("a lease, and a second for recovery, on a machine that may be busy")
          .isLessThan(LEASE.plusSeconds(10));
      held.forEach(run -> refused(stand, run));
      awaitOpen(stand, 0);
      held.forEach(run -> refused(stand, run));

      paid(stand, held, killed);
      doneOnce(stand, held);
      workers.subList(KILLED, WORKERS).forEach(WorkerCrashTest::stop);
    }
  }

  private Path log(int worker) {
    return folder.resolve("runs-" + worker);
  }

  private static void stop(Stand.Loading worker) {
    try {
      worker.stop();
      worker.result();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void post(Stand stand, int count, double seconds) throws Exception {
    String event =
        "{\"tenant\":\"%s\",\"type\":\"t\",\"destinations\":[\"%s\"],\"payload\":{\"seconds\":%s}}"
            .formatted(Stand.TENANT, TUBE, seconds);
    String events = IntStream.range(0, count).mapToObj(_ -> event).collect(Collectors.joining(","));
    assertThat(call(stand, "/v1/events/batch", "{\"events\":[" + events + "]}").status())
        .isBetween(200, 299);
  }

  private static HttpConnection.Response call(Stand stand, String path, String body) {
    try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
      return connection.post(path, body.getBytes(StandardCharsets.UTF_8));
    } catch (Exception e) {
      throw new AssertionError(path, e);
    }
  }

  /** What each of those who will be killed has in hand, once each has something. */
  private List<RunLog.Run> awaitHeld() throws Exception {
    List<RunLog.Run> held = new ArrayList<>();
    await(
        "work in hand",
        () -> {
          held.clear();
          for (int n = 0; n < KILLED; n++) {
            RunLog.read(log(n)).stream().filter(run -> run.end() == null).forEach(held::add);
          }
          return held.size() == KILLED;
        });
    return List.copyOf(held);
  }

  @FunctionalInterface
  private interface Wanted {
    boolean is() throws Exception;
  }

  private void await(String what, Wanted wanted) throws Exception {
    long began = Stand.nanos();
    while (!wanted.is()) {
      if (Stand.nanos() - began > Duration.ofSeconds(90).toNanos()) {
        throw new AssertionError(what + " did not come: " + Files.readString(log(0)));
      }
      Stand.passTime(LOOK);
    }
  }

  private void awaitOpen(Stand stand, long most) throws Exception {
    await("the end of all jobs", () -> stand.ledger().open() <= most);
  }

  /** A finish under the number that was lost changes nothing, and says so. */
  private static void refused(Stand stand, RunLog.Run run) {
    HttpConnection.Response late =
        call(
            stand,
            "/v1/tubes/%s/jobs/%s/complete".formatted(run.tube(), run.job()),
            "{\"lease_no\":%d,\"yield\":1}".formatted(run.leaseNo()));
    JsonNode problem = JSON.readTree(late.text());
    assertThat(late.status()).as(late.text()).isEqualTo(409);
    assertThat(problem.path("type").asString("")).isEqualTo("urn:penstock:problem:lease_lost");
  }

  private static List<Booked> booked(Stand stand, String detail) throws Exception {
    String sql =
        """
        select event_id, lease_no, duration_us, outcome
        from penstock.attempt
        where detail = ?
        """;
    List<Booked> all = new ArrayList<>();
    try (Connection connection = stand.ledger().connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, detail);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(
              new Booked(
                  rows.getString(1), rows.getLong(2), rows.getLong(3) / 1e6, rows.getString(4)));
        }
      }
    }
    return all;
  }

  /** A lost lease is charged until its end: the last renewal before the kill, and a lease more. */
  private static void paid(Stand stand, List<RunLog.Run> held, long killed) throws Exception {
    Map<String, RunLog.Run> byJob = new HashMap<>();
    held.forEach(run -> byJob.put(run.job(), run));
    double all = 0;
    for (Booked lost : booked(stand, "lease_lost")) {
      assertThat(byJob).as("only what was held is lost").containsKey(lost.event());
      RunLog.Run run = Objects.requireNonNull(byJob.get(lost.event()));
      double untilKilled = (killed - run.leasedNanos()) / 1e9;
      assertThat(lost.leaseNo()).isEqualTo(run.leaseNo());
      assertThat(lost.outcome()).isEqualTo("unknown");
      assertThat(lost.seconds())
          .isBetween(LEASE.toSeconds() - 0.001, untilKilled + LEASE.toSeconds() + 1);
      all += lost.seconds();
    }
    for (Booked done : booked(stand, "completed")) {
      all += done.seconds();
    }
    try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
      JsonNode tube = JSON.readTree(connection.get("/v1/tubes/" + TUBE).text());
      assertThat(tube.path("work").path("charged_seconds").asDouble()).isCloseTo(all, within(0.01));
      assertThat(tube.path("running").asInt()).isZero();
      assertThat(tube.path("runs").path("lost").asInt()).isEqualTo(KILLED);
    }
  }

  private void doneOnce(Stand stand, List<RunLog.Run> held) throws Exception {
    Map<String, Integer> completions = new LinkedHashMap<>();
    for (int n = 0; n < WORKERS; n++) {
      for (RunLog.Run run : RunLog.read(log(n))) {
        RunLog.End end = run.end();
        if (end != null && end.status() == 200) {
          assertThat(end.how()).isEqualTo("complete");
          completions.merge(run.job(), 1, Integer::sum);
        }
      }
    }
    Set<String> lost = held.stream().map(RunLog.Run::job).collect(Collectors.toSet());
    assertThat(completions).hasSize(4 + JOBS).containsKeys(lost.toArray(String[]::new));
    assertThat(completions.values()).as("each job is completed once").containsOnly(1);
    assertThat(
            booked(stand, "completed").stream()
                .collect(Collectors.groupingBy(Booked::event, Collectors.counting()))
                .values())
        .as("and booked once")
        .containsOnly(1L);
  }
}
