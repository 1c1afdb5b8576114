package io.penstock.gameday.bench;

import io.penstock.gameday.load.PostLog;
import io.penstock.gameday.receiver.ReceiptLog;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Home;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** How long a producer waits for its 2xx, and the receiver for its webhook after that. */
@Command(
    name = "latency",
    description =
        "At a steady 200 events a second: post to 2xx, and 2xx to the first byte received.",
    mixinStandardHelpOptions = true)
public final class LatencyBench implements Callable<Integer> {
  private static final double CREATE_MS = 3;
  private static final double FIRST_BYTE_MS = 10;
  private static final int PER_SECOND = 200;
  private static final int DESTINATIONS = 100;

  private static final String PREFIX = "load-";
  private static final long LONGEST_MICROS = 60_000_000;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--seconds", defaultValue = "30", description = "How long to measure.")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    Report report = new Report("latency");
    measure(report);
    return options.print(report);
  }

  private void measure(Report report) throws Exception {
    Path folder = options.folder("latency");
    try (Stand stand = Stand.withOwnPostgres(folder, ThroughputBench.UNLIMITED)) {
      Histogram insert = new Histogram(LONGEST_MICROS, 3);
      BareInsert.run(stand.ledger(), PER_SECOND, Duration.ofSeconds(10), insert);
      Path receipts = folder.resolve("receipts");
      Stand.Receiving receiver = stand.startReceiver(receipts);
      stand.startServer();
      stand.makeDestinations(PREFIX, DESTINATIONS, receiver.url() + "/");
      WarmUp.under(
          load(stand, WarmUp.MOST_SECONDS, folder.resolve("warm")), stand, options, report);
      options.progress("measuring");
      Path posts = folder.resolve("posts");
      JsonNode result = load(stand, seconds, posts).result();
      ThroughputBench.awaitEmpty(stand.ledger());
      stand.server().terminate();
      receiver.child().close();
      BareInsert.run(stand.ledger(), PER_SECOND, Duration.ofSeconds(10), insert);
      report(report, result, firstBytes(posts, receipts), insert);
    }
  }

  private static Stand.Loading load(Stand stand, int howLong, Path log) throws Exception {
    return stand.startLoad(
        List.of(
            "--prefix=" + PREFIX,
            "--destinations=" + DESTINATIONS,
            "--batch=1",
            "--rate=" + PER_SECOND,
            "--connections=16",
            "--events=" + (long) PER_SECOND * howLong,
            "--log=" + log));
  }

  private void report(Report report, JsonNode result, Histogram firstByte, Histogram insert) {
    double insertP95 = insert.getValueAtPercentile(95) / 1e3;
    double create = result.path("p95_us").asDouble() / 1e3;
    double received = firstByte.getValueAtPercentile(95) / 1e3;
    report
        .figure("bare_insert_p95_ms", insertP95)
        .figure("create_p50_ms", result.path("p50_us").asDouble() / 1e3)
        .figure("create_p95_ms", create)
        .figure("create_p99_ms", result.path("p99_us").asDouble() / 1e3)
        .figure("first_byte_p50_ms", firstByte.getValueAtPercentile(50) / 1e3)
        .figure("first_byte_p95_ms", received)
        .figure("first_byte_p99_ms", firstByte.getValueAtPercentile(99) / 1e3)
        .setting("per_second", PER_SECOND)
        .setting("destinations", DESTINATIONS)
        .setting("seconds", seconds)
        .setting("trained", Home.find().isTrained())
        .atMost("post to 2xx, p95", create, CREATE_MS + 2 * insertP95, "ms")
        .atMost("2xx to first byte, p95", received, FIRST_BYTE_MS, "ms")
        .atMost(
            "accepted and not received",
            (double) (result.path("accepted").asLong() - firstByte.getTotalCount()),
            0,
            "events");
  }

  /** A webhook may overtake the 2xx of its own event; that counts as no time at all. */
  private static Histogram firstBytes(Path posts, Path receipts) throws IOException {
    Map<String, Long> answered = new HashMap<>();
    PostLog.read(posts).forEach(post -> answered.put(post.eventId(), post.answeredNanos()));
    Histogram micros = new Histogram(LONGEST_MICROS, 3);
    for (ReceiptLog.Receipt receipt : ReceiptLog.read(receipts)) {
      Long at = answered.get(receipt.webhookId());
      if (at != null) {
        long took = (receipt.firstByteNanos() - at) / 1_000;
        micros.recordValue(Math.clamp(took, 0, LONGEST_MICROS));
      }
    }
    return micros;
  }
}
