package io.penstock.gameday.bench;

import io.penstock.gameday.load.HttpConnection;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** How many jobs workers can lease and complete over HTTP, and how soon they get them. */
@Command(
    name = "lease",
    description =
        "Lease and complete over HTTP: cycles a second, lease latency at 500/s, and how soon an"
            + " idle long poll is answered after an enqueue.",
    mixinStandardHelpOptions = true)
public final class LeaseBench implements Callable<Integer> {
  private static final double CYCLES_PER_SECOND = 2_000;
  private static final double LEASE_MS = 10;
  private static final double WAKE_MS = 50;
  private static final int PACED_PER_SECOND = 500;
  private static final int TUBES = 8;
  private static final String PREFIX = "tube-";
  private static final String IDLE = "idle-tube";
  private static final int WAKES = 60;
  private static final int IDLE_POLLS = 32;
  private static final long LONGEST_MICROS = 60_000_000;
  private static final int MOST = 8;

  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 1000000
        burst: 1000000
        slots: 10000
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--seconds", defaultValue = "15", description = "How long to measure each.")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    return options.print(measured());
  }

  private Report measured() throws Exception {
    Path folder = options.folder("lease");
    try (Stand stand = Stand.withOwnPostgres(folder, LIMITS)) {
      stand.startServer();
      stand.makeTubes(PREFIX, TUBES);
      stand.makeTubes(IDLE, 1);
      options.progress("warming up");
      enqueue(stand, 8_000, folder.resolve("warm"));
      work(stand, MOST, 16, 8_000, 0);
      options.progress("measuring cycles");
      long many = (long) seconds * 5_000;
      enqueue(stand, many, folder.resolve("many"));
      JsonNode batched = work(stand, MOST, 16, many, 0);
      long single = (long) seconds * 1_000;
      enqueue(stand, single, folder.resolve("single"));
      JsonNode one = work(stand, 1, 64, single, 0);
      options.progress("measuring latency");
      long paced = (long) seconds * PACED_PER_SECOND;
      enqueue(stand, paced + 2_000, folder.resolve("paced"));
      JsonNode latency = work(stand, 1, 32, paced, PACED_PER_SECOND);
      options.progress("measuring wake-ups");
      return report(batched, one, latency, wakes(stand));
    }
  }

  private static void enqueue(Stand stand, long jobs, Path log) throws Exception {
    stand
        .startLoad(
            List.of(
                "--prefix=" + PREFIX,
                "--destinations=" + TUBES,
                "--batch=100",
                "--bytes=256",
                "--connections=4",
                "--outstanding=" + 10 * jobs,
                "--events=" + jobs,
                "--log=" + log))
        .result();
  }

  private static JsonNode work(Stand stand, int most, int connections, long jobs, double rate)
      throws Exception {
    String tubes =
        IntStream.range(0, TUBES)
            .mapToObj(n -> "\"" + PREFIX + n + "\"")
            .collect(Collectors.joining(","));
    return stand
        .startWorkers(
            List.of(
                "--tubes=" + tubes,
                "--most=" + most,
                "--connections=" + connections,
                "--jobs=" + jobs,
                "--rate=" + rate))
        .result();
  }

  /** From the start of the post to the answer of the one poll that gets it, others waiting too. */
  private Histogram wakes(Stand stand) throws Exception {
    Histogram micros = new Histogram(LONGEST_MICROS, 3);
    String tube = IDLE + 0;
    List<HttpConnection> connections = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool();
        HttpConnection poster = new HttpConnection(stand.api(), stand.key())) {
      for (int i = 0; i < IDLE_POLLS; i++) {
        HttpConnection connection = new HttpConnection(stand.api(), stand.key());
        connections.add(connection);
        var _ = threads.submit(() -> poll(connection, "\"" + PREFIX + "0\"", 25));
      }
      HttpConnection waiting = new HttpConnection(stand.api(), stand.key());
      connections.add(waiting);
      for (int n = 0; n < WAKES; n++) {
        Future<Long> answered = threads.submit(() -> poll(waiting, "\"" + tube + "\"", 20));
        Stand.passTime(Duration.ofMillis(100));
        long began = Stand.nanos();
        HttpConnection.Response posted =
            poster.post(
                "/v1/events",
                bytes(
                    "{\"tenant\":\"%s\",\"type\":\"t\",\"destinations\":[\"%s\"],\"payload\":1}"
                        .formatted(Stand.TENANT, tube)));
        if (posted.status() / 100 != 2) {
          throw new IOException("the API answered " + posted.text());
        }
        micros.recordValue(Math.clamp((answered.get() - began) / 1_000, 0, LONGEST_MICROS));
      }
    } finally {
      connections.forEach(HttpConnection::close);
    }
    return micros;
  }

  private static long poll(HttpConnection connection, String tubes, int wait) throws IOException {
    connection.post(
        "/v1/jobs/lease",
        bytes("{\"worker\":\"idle\",\"tubes\":[%s],\"wait_seconds\":%d}".formatted(tubes, wait)));
    return Stand.nanos();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Report report(JsonNode batched, JsonNode one, JsonNode latency, Histogram wakes) {
    double cycles = perSecond(batched);
    double lease = latency.path("lease_p95_us").asDouble() / 1e3;
    double wake = wakes.getValueAtPercentile(95) / 1e3;
    return new Report("lease")
        .figure("cycles_per_second", cycles)
        .figure("cycles_per_second_one_job_a_call", perSecond(one))
        .figure("lease_p50_ms_at_500", latency.path("lease_p50_us").asDouble() / 1e3)
        .figure("lease_p95_ms_at_500", lease)
        .figure("lease_p99_ms_at_500", latency.path("lease_p99_us").asDouble() / 1e3)
        .figure("complete_p95_ms_at_500", latency.path("end_p95_us").asDouble() / 1e3)
        .figure("wake_p50_ms", wakes.getValueAtPercentile(50) / 1e3)
        .figure("wake_p95_ms", wake)
        .figure("wake_max_ms", wakes.getMaxValue() / 1e3)
        .setting("seconds", seconds)
        .setting("tubes", TUBES)
        .setting("jobs_a_call", MOST)
        .atLeast("lease and complete", cycles, CYCLES_PER_SECOND, "cycles/s")
        .atMost("lease at 500/s, p95", lease, LEASE_MS, "ms")
        .atMost("post to the answer of an idle long poll, p95", wake, WAKE_MS, "ms")
        .atMost(
            "leases lost or failed",
            (double)
                (batched.path("failed").asLong()
                    + one.path("failed").asLong()
                    + latency.path("failed").asLong()),
            0,
            "jobs");
  }

  private static double perSecond(JsonNode result) {
    return result.path("completed").asLong() / (result.path("took_nanos").asLong() / 1e9);
  }
}
