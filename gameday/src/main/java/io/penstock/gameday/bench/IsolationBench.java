package io.penstock.gameday.bench;

import io.penstock.gameday.load.PostLog;
import io.penstock.gameday.receiver.ReceiptLog;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a hundred healthy destinations feel of one hostile one. */
@Command(
    name = "isolation",
    description = {
      "A hundred healthy destinations at 200 events a second, and beside them one that answers 429",
      "to 600 requests a second, hangs, resets, drips, or whose name cannot be resolved.",
      "Each round runs the healthy ones alone and then beside each of the five."
    },
    mixinStandardHelpOptions = true)
public final class IsolationBench implements Callable<Integer> {
  private static final double MOST_MS = 5;
  private static final int HEALTHY = 100;
  private static final int PER_SECOND = 200;
  private static final String HEALTHY_PREFIX = "healthy-";

  /** Enough for what a hostile one takes in its time; nothing of it is posted while we measure. */
  private static final int BACKLOG = 3_000;

  private static final String IN_FLIGHT =
      "select count(*) from penstock.delivery where state = 'leased'";

  private static final long LONGEST_MICROS = 60_000_000;

  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 600
        burst: 600
        slots: 128
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--rounds", defaultValue = "5", description = "How often each kind is measured.")
  private int rounds;

  @Option(names = "--seconds", defaultValue = "30", description = "How long each time.")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    Path folder = options.folder("isolation");
    Report report = new Report("isolation");
    Map<String, List<Double>> p99 = new LinkedHashMap<>();
    Map<String, Long> hostile = new LinkedHashMap<>();
    try (Stand stand = Stand.withOwnPostgres(folder, LIMITS)) {
      Path receipts = folder.resolve("receipts");
      Stand.Receiving healthy = stand.startReceiver(receipts);
      Stand.Receiving other = stand.startReceiver(null);
      stand.startServer();
      stand.makeDestinations(HEALTHY_PREFIX, HEALTHY, healthy.url() + "/");
      Map<String, String> kinds = kinds(other.url().toString());
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<String, String> kind : kinds.entrySet()) {
          makeHostile(stand, round, kind.getKey(), kind.getValue());
        }
      }
      WarmUp.under(
          load(stand, WarmUp.MOST_SECONDS, folder.resolve("warm")), stand, options, report);
      List<Run> runs = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        runs.add(run(stand, round, "base"));
        for (String kind : kinds.keySet()) {
          runs.add(run(stand, round, kind));
        }
      }
      hostile.putAll(attempts(stand, kinds));
      stand.server().killHard();
      healthy.child().close();
      Map<String, Long> received = received(receipts);
      for (Run run : runs) {
        double its = p99(run.posts(), received);
        p99.computeIfAbsent(run.kind(), _ -> new ArrayList<>()).add(its);
      }
    }
    report(report, p99, hostile);
    return options.print(report);
  }

  private static Map<String, String> kinds(String receiver) {
    Map<String, String> kinds = new LinkedHashMap<>();
    kinds.put("throttling", receiver + "/limit/fixed/0/1/hostile");
    kinds.put("hanging", receiver + "/hang");
    kinds.put("resetting", receiver + "/reset");
    kinds.put("dripping", receiver + "/drip");
    kinds.put("unresolvable", "http://no-such-host.invalid/");
    return kinds;
  }

  private record Run(String kind, Path posts) {}

  private static String hostile(int round, String kind) {
    return kind + "-" + round + "-";
  }

  private void makeHostile(Stand stand, int round, String kind, String url) throws Exception {
    String prefix = hostile(round, kind);
    stand.makeDestination(prefix + "0", url);
    stand.gate("pause", prefix, 1);
    stand
        .startLoad(
            List.of(
                "--prefix=" + prefix,
                "--destinations=1",
                "--events=" + BACKLOG,
                "--outstanding=" + BACKLOG,
                "--log=" + stand.folder().resolve("backlog-" + prefix)))
        .result();
  }

  /** One measurement: the hostile one is let go just before, and held again afterwards. */
  private Run run(Stand stand, int round, String kind) throws Exception {
    options.progress("round %d: %s".formatted(round + 1, kind));
    String prefix = hostile(round, kind);
    boolean base = kind.equals("base");
    if (!base) {
      stand.gate("resume", prefix, 1);
    }
    Path posts = stand.folder().resolve("posts-" + round + "-" + kind);
    var _ = load(stand, seconds, posts).result();
    if (!base) {
      stand.gate("pause", prefix, 1);
      // What hangs must not reach into the next measurement.
      while (stand.ledger().number(IN_FLIGHT) > 0) {
        Stand.passTime(Duration.ofMillis(200));
      }
    }
    return new Run(kind, posts);
  }

  private static Stand.Loading load(Stand stand, int howLong, Path log) throws Exception {
    return stand.startLoad(
        List.of(
            "--prefix=" + HEALTHY_PREFIX,
            "--destinations=" + HEALTHY,
            "--batch=1",
            "--rate=" + PER_SECOND,
            "--connections=8",
            "--events=" + (long) PER_SECOND * howLong,
            "--log=" + log));
  }

  private static Map<String, Long> attempts(Stand stand, Map<String, String> kinds)
      throws Exception {
    Map<String, Long> attempts = new LinkedHashMap<>();
    for (String kind : kinds.keySet()) {
      // Kinds are words of ours.
      attempts.put(
          kind,
          stand
              .ledger()
              .number(
                  "select count(*) from penstock.attempt where destination_id like '"
                      + kind
                      + "-%'"));
    }
    return attempts;
  }

  private static Map<String, Long> received(Path receipts) throws IOException {
    Map<String, Long> first = new HashMap<>();
    for (ReceiptLog.Receipt receipt : ReceiptLog.read(receipts)) {
      first.putIfAbsent(receipt.webhookId(), receipt.firstByteNanos());
    }
    return first;
  }

  /**
   * From the 2xx to the first byte at the receiver, in milliseconds; lost ones count as longest.
   */
  private static double p99(Path posts, Map<String, Long> received) throws IOException {
    Histogram micros = new Histogram(LONGEST_MICROS, 3);
    for (PostLog.Posted posted : PostLog.read(posts)) {
      Long at = received.get(posted.eventId());
      long took = at == null ? LONGEST_MICROS : (at - posted.answeredNanos()) / 1_000;
      micros.recordValue(Math.clamp(took, 0, LONGEST_MICROS));
    }
    return micros.getValueAtPercentile(99) / 1e3;
  }

  private void report(Report report, Map<String, List<Double>> p99, Map<String, Long> hostile) {
    report
        .setting("rounds", rounds)
        .setting("seconds", seconds)
        .setting("healthy_destinations", HEALTHY)
        .setting("healthy_per_second", PER_SECOND);
    List<Double> base = p99.getOrDefault("base", List.of());
    report.figure("base.p99_ms", median(base)).figure("base.spread_ms", spread(base));
    p99.forEach((kind, its) -> {
      if (!kind.equals("base")) {
        List<Double> moved = new ArrayList<>();
        for (int i = 0; i < its.size(); i++) {
          moved.add(its.get(i) - base.get(i));
        }
        report
            .figure(kind + ".p99_ms", median(its))
            .figure(kind + ".moved_ms", median(moved))
            .figure(kind + ".moved_spread_ms", spread(moved))
            .figure(kind + ".attempts", hostile.getOrDefault(kind, 0L))
            .atMost(
                "p99 of the healthy ones beside a " + kind + " one moves",
                median(moved),
                MOST_MS,
                "ms");
      }
    });
  }

  private static double median(List<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static double spread(List<Double> figures) {
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[sorted.length - 1] - sorted[0];
  }
}
