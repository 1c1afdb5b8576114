package io.penstock.gameday.bench;

import io.penstock.gameday.lab.TubeStory;
import io.penstock.gameday.lab.TubeStory.Part;
import io.penstock.gameday.load.HttpConnection;
import io.penstock.gameday.load.RunLog;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The story of tubes that share a pool, on a real server with worker processes, played many times
 * faster: the durations of the jobs, what their tubes bank and every second of the rules are
 * divided. The limits file says what it would say in the story; the server divides.
 */
@Command(
    name = "tubes",
    description = {
      "Hours of a pool of three workers in minutes: an hourly batch, a small batch, an interactive",
      "job a minute and endless jobs of 30 minutes, on a real server with worker processes."
    },
    mixinStandardHelpOptions = true)
public final class TubesBench implements Callable<Integer> {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MINUTES_PER_HOUR = 60;
  private static final int HOUR = 3_600;
  private static final String POOL = "story";
  private static final String WARM = "warm-up";
  private static final int WARM_JOBS = 900;

  /** Of a job that belongs to no arrival. */
  private static final int NO_NUMBER = -1;

  private static final Duration LOOK = Duration.ofMillis(20);

  /** Of the allotment, beside the bound of control.md. */
  private static final double SHARE = 0.03;

  /** Between what a worker had in hand and what it was charged for lie two halves of a call. */
  private static final double MOST_BEYOND_MS = 25;

  /** And so does what a busy machine keeps a worker from noticing that its job is done. */
  private static final double BEYOND_SHARE = 0.01;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(
      names = "--minutes",
      defaultValue = "8",
      description = "How long the story is played (default: ${DEFAULT-VALUE}).")
  private int minutes;

  @Option(
      names = "--faster",
      defaultValue = "60",
      description = "How many times faster than it is (default: ${DEFAULT-VALUE}).")
  private int faster;

  @Option(
      names = "--seed",
      defaultValue = "7001",
      description = "Moves the arrivals (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws Exception {
    int hours = minutes * faster / MINUTES_PER_HOUR;
    if (hours < 1) {
      throw new IllegalArgumentException(
          "--minutes=%d --faster=%d is less than an hour of the story; wanted at least one"
              .formatted(minutes, faster));
    }
    Report report =
        new Report("tubes")
            .setting("minutes", minutes)
            .setting("faster", faster)
            .setting("hours_of_the_story", hours)
            .setting("workers", TubeStory.WORKERS)
            .setting("seed", seed);
    Path folder = options.folder("tubes");
    try (Stand stand = Stand.withOwnPostgres(folder, limits())) {
      stand.set("PENSTOCK_JOBS_TEST_FASTER", Integer.toString(faster));
      stand.startServer();
      play(stand, report, hours);
    }
    return options.print(report);
  }

  /** As an operator of the story would write it. */
  private static String limits() {
    StringBuilder text =
        new StringBuilder(
            """
            defaults:
              rate_per_second: 100000
              burst: 100000
              slots: 1000
            destinations:
            """);
    for (Part part : TubeStory.PARTS) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %s:%n    worker_seconds:%n      allotment: %s%n      expected_duration: %.0fs%n",
              part.name(),
              part.allotment(),
              part.jobSeconds()));
    }
    String tubes = TubeStory.PARTS.stream().map(Part::name).collect(Collectors.joining(", "));
    return text
        + "pools:\n  %s:\n    size: %d\n    destinations: [%s, %s]\n"
            .formatted(POOL, TubeStory.WORKERS, tubes, WARM);
  }

  private void play(Stand stand, Report report, int hours) throws Exception {
    stand.makeTube(WARM);
    for (Part part : TubeStory.PARTS) {
      stand.makeTube(part.name());
    }
    List<Path> logs = new ArrayList<>();
    List<Stand.Loading> workers = new ArrayList<>();
    for (int n = 1; n <= TubeStory.WORKERS; n++) {
      Path log = stand.folder().resolve("runs-" + n);
      logs.add(log);
      workers.add(stand.startPoolWorker("worker-" + n, POOL, log));
    }
    List<TubeStory.Arrival> arrivals =
        TubeStory.arrivals(hours, seed).stream()
            .sorted(Comparator.comparingLong(TubeStory.Arrival::second))
            .toList();
    List<Long> arrived;
    long began;
    try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
      options.progress("warming up");
      open(stand, connection);
      began = Stand.nanos();
      arrived = post(connection, arrivals, began, hours);
    }
    double played = (Stand.nanos() - began) / 1e9;
    for (Stand.Loading worker : workers) {
      worker.stop();
    }
    for (Stand.Loading worker : workers) {
      worker.result();
    }
    List<RunLog.Run> runs = new ArrayList<>();
    for (Path log : logs) {
      runs.addAll(RunLog.read(log));
    }
    tell(report, hours, new TubeRuns(arrivals, arrived, runs), played, accounts(stand));
  }

  /** Warms everything, and opens the accounts: each begins with what one job needs. */
  private static void open(Stand stand, HttpConnection connection) throws Exception {
    for (int posted = 0; posted < WARM_JOBS; posted += 30) {
      post(connection, WARM, 30, "{\"seconds\":0,\"number\":%d}".formatted(NO_NUMBER));
      Stand.passTime(Duration.ofMillis(100));
    }
    awaitNothingOpen(stand);
    for (Part part : TubeStory.PARTS) {
      String nothing = "{\"seconds\":0,\"no_op\":true,\"number\":%d}".formatted(NO_NUMBER);
      post(connection, part.name(), 1, nothing);
    }
    awaitNothingOpen(stand);
  }

  private static void awaitNothingOpen(Stand stand) throws Exception {
    while (stand.ledger().open() > 0) {
      Stand.passTime(LOOK);
    }
  }

  private List<Long> post(
      HttpConnection connection, List<TubeStory.Arrival> arrivals, long began, int hours)
      throws Exception {
    List<Long> times = new ArrayList<>();
    long told = -1;
    for (int i = 0; i < arrivals.size(); i++) {
      TubeStory.Arrival arrival = arrivals.get(i);
      if (arrival.second() / HOUR > told) {
        told = arrival.second() / HOUR;
        options.progress("hour %d of %d".formatted(told + 1, hours));
      }
      long at = began + nanos(arrival.second());
      awaitTime(at);
      times.add(at);
      String payload =
          String.format(
              Locale.ROOT,
              "{\"seconds\":%.6f,\"number\":%d}",
              arrival.part().jobSeconds() / faster,
              i);
      post(connection, arrival.part().name(), arrival.count(), payload);
    }
    awaitTime(began + nanos((long) hours * HOUR));
    return times;
  }

  private long nanos(long storySeconds) {
    return storySeconds * 1_000_000_000L / faster;
  }

  private static void awaitTime(long at) throws InterruptedException {
    for (long left = at - Stand.nanos(); left > 0; left = at - Stand.nanos()) {
      Stand.passTime(Duration.ofNanos(left));
    }
  }

  private static void post(HttpConnection connection, String tube, int count, String payload)
      throws IOException {
    String event =
        "{\"tenant\":\"%s\",\"type\":\"story.job\",\"destinations\":[\"%s\"],\"payload\":%s}"
            .formatted(Stand.TENANT, tube, payload);
    String body = IntStream.range(0, count).mapToObj(_ -> event).collect(Collectors.joining(","));
    HttpConnection.Response response =
        connection.post(
            "/v1/events/batch", ("{\"events\":[" + body + "]}").getBytes(StandardCharsets.UTF_8));
    if (response.status() / 100 != 2) {
      throw new IOException("the API answered " + response.text());
    }
  }

  private static Map<Part, JsonNode> accounts(Stand stand) throws Exception {
    Map<Part, JsonNode> accounts = new LinkedHashMap<>();
    try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
      for (Part part : TubeStory.PARTS) {
        accounts.put(part, JSON.readTree(connection.get("/v1/tubes/" + part.name()).text()));
      }
    }
    return accounts;
  }

  private void tell(
      Report report, int hours, TubeRuns runs, double played, Map<Part, JsonNode> accounts) {
    double hourly = TubeStory.quantile(runs.batchSeconds(TubeStory.HOURLY), 0.5);
    double small = TubeStory.quantile(runs.batchSeconds(TubeStory.SMALL), 0.95);
    double wait = TubeStory.quantile(runs.waitSeconds(TubeStory.INTERACTIVE), 0.95);
    TubeStory.Told lab = TubeStory.simulated(hours, seed);
    report
        .figure("hourly_batch_p50_s", hourly)
        .figure("small_batch_p95_s", small)
        .figure("interactive_wait_p95_s", wait)
        .figure("lab_hourly_batch_p50_s", lab.hourlyBatchP50() / faster)
        .figure("lab_small_batch_p95_s", lab.smallBatchP95() / faster)
        .figure("lab_interactive_wait_p95_s", lab.interactiveWaitP95() / faster)
        .atMost("small batch p95", small, TubeStory.SMALL_BATCH_P95_SECONDS / faster, "s")
        .atMost("interactive wait p95", wait, TubeStory.INTERACTIVE_WAIT_P95_SECONDS / faster, "s");
    accounts.forEach((part, account) -> tell(report, part, runs, played, account));
  }

  private void tell(Report report, Part part, TubeRuns runs, double played, JsonNode account) {
    double held = runs.heldSeconds(part);
    double charged = account.path("work").path("charged_seconds").asDouble();
    double beyond = 1e3 * (charged - held) / Math.max(1, runs.runs(part));
    report
        .figure(part.name() + ".completed_jobs", (long) runs.completed(part))
        .figure(part.name() + ".lost_leases", (long) runs.lost(part))
        .figure(part.name() + ".got_workers", held / played)
        .figure(part.name() + ".charged_beyond_held_ms_a_run", beyond)
        .figure(
            part.name() + ".forgiven_seconds",
            account.path("work").path("forgiven_seconds").asDouble());
    double wanted = part.allotment() * played;
    double longest =
        (part.allotment() * TubeStory.BANKED_SECONDS + TubeStory.WORKERS * part.jobSeconds())
            / faster;
    double off = part.equals(TubeStory.ENDLESS) ? Math.abs(held - wanted) : held - wanted;
    report.atMost(
        part.name() + ": used against allotted, off by", off, SHARE * wanted + longest, "s");
    report.atMost(
        part.name() + ": at once", runs.mostAtOnce(part), Math.ceil(part.allotment()), "jobs");
    double calls = MOST_BEYOND_MS + 1e3 * BEYOND_SHARE * held / Math.max(1, runs.runs(part));
    report.bar(
        part.name() + ": charged as held",
        String.format(Locale.ROOT, "within %.0f ms a run", calls),
        String.format(Locale.ROOT, "%.1f ms a run", beyond),
        Math.abs(beyond) <= calls);
  }
}
