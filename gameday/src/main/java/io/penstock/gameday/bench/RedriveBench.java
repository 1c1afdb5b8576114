package io.penstock.gameday.bench;

import io.penstock.gameday.load.HttpConnection;
import io.penstock.gameday.load.PostLog;
import io.penstock.gameday.receiver.ReceiptLog;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** A big shelf, the way back from it, and what healthy traffic notices of either. */
@Command(
    name = "redrive",
    description = {
      "Reads of a big shelf; a redrive at a rate and one at the destination's own budget; many",
      "deaths at once; and how far each moves the p99 of healthy traffic.",
      "A short form of two minutes: --letters 100000 --minutes 1 --seconds 15 --storm 20000"
    },
    mixinStandardHelpOptions = true)
public final class RedriveBench implements Callable<Integer> {
  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 100000
        burst: 10000
        slots: 500
      destinations:
        shelf-1:
          rate_per_second: 500
          burst: 50
      """;

  private static final int PER_MINUTE = 600;
  private static final int BUDGET_PER_SECOND = 500;
  private static final int HEALTHY_PER_SECOND = 200;
  private static final int HEALTHY = 50;
  private static final int READS = 100;
  private static final long LONGEST_MICROS = 60_000_000;
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--letters", defaultValue = "2000000", description = "Dead letters on the shelf.")
  private long letters;

  @Option(
      names = "--minutes",
      defaultValue = "5",
      description = "How long the redrive at a rate is measured.")
  private int minutes;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "How long healthy traffic is measured without any of it.")
  private int seconds;

  @Option(names = "--storm", defaultValue = "100000", description = "Deaths at once.")
  private int storm;

  @Override
  public Integer call() throws Exception {
    return options.print(measured());
  }

  private Report measured() throws Exception {
    Path folder = options.folder("redrive");
    Report report =
        new Report("redrive")
            .setting("letters", letters)
            .setting("minutes", minutes)
            .setting("seconds", seconds)
            .setting("storm", storm);
    Path healthyReceipts = folder.resolve("healthy");
    Path redriven = folder.resolve("redriven");
    try (Stand stand = Stand.withOwnPostgres(folder, LIMITS)) {
      Stand.Receiving healthy = stand.startReceiver(healthyReceipts);
      Stand.Receiving receiver = stand.startReceiver(redriven);
      stand.startServer();
      stand.makeDestinations("load-", HEALTHY, healthy.url() + "/");
      stand.makeDestinations("shelf-", 3, receiver.url() + "/");
      options.progress("filling the shelf with %,d dead letters".formatted(letters));
      ShelfFill.fill(stand.ledger(), "shelf-0", letters, 1);
      ShelfFill.fill(stand.ledger(), "shelf-1", BUDGET_PER_SECOND * 30L, 2);
      reads(stand, report);
      Path warm = folder.resolve("warm");
      Path alone = folder.resolve("alone");
      options.progress("healthy traffic alone");
      load(stand, 10, warm).result();
      load(stand, seconds, alone).result();
      options.progress("a redrive at %d a minute".formatted(PER_MINUTE));
      Path beside = folder.resolve("beside");
      Stand.Loading load = load(stand, minutes * 60 + 10, beside);
      capped(stand, receiver, redriven, report);
      load.result();
      options.progress(
          "a redrive at the destination's budget of %d/s".formatted(BUDGET_PER_SECOND));
      uncapped(stand, receiver, report);
      options.progress("%,d deaths at once".formatted(storm));
      Path storming = folder.resolve("storming");
      deaths(stand, report, storming);
      ThroughputBench.awaitEmpty(stand.ledger());
      stand.server().terminate();
      healthy.child().close();
      receiver.child().close();
      double before = p99(alone, healthyReceipts);
      moved(report, "redrive", before, p99(beside, healthyReceipts));
      moved(report, "deaths", before, p99(storming, healthyReceipts));
    }
    return report;
  }

  // ---- reads

  private void reads(Stand stand, Report report) throws Exception {
    read(stand, report, "groups", "/v1/shelf/groups?destination=shelf-0");
    read(stand, report, "first_page", "/v1/shelf?destination=shelf-0");
  }

  private static void read(Stand stand, Report report, String name, String path) throws Exception {
    Histogram micros = new Histogram(LONGEST_MICROS, 3);
    try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
      for (int i = 0; i < READS; i++) {
        long begin = Stand.nanos();
        HttpConnection.Response answer = connection.get(path);
        if (answer.status() != 200) {
          report.bar("shelf " + name, "an answer", answer.status() + " of " + path, false);
          return;
        }
        micros.recordValue(Math.min(LONGEST_MICROS, (Stand.nanos() - begin) / 1_000));
      }
    }
    double p95 = micros.getValueAtPercentile(95) / 1e3;
    report
        .figure("shelf_" + name + "_p95_ms", p95)
        .atMost("shelf " + name + ", p95", p95, 50, "ms");
  }

  // ---- redrives

  private void capped(Stand stand, Stand.Receiving receiver, Path receipts, Report report)
      throws Exception {
    long before = receiver.count();
    long begin = Stand.nanos();
    String id = start(stand, "shelf-0", "\"rate_per_minute\":" + PER_MINUTE);
    double answered = (Stand.nanos() - begin) / 1e6;
    while (receiver.count() == before) {
      Stand.passTime(LOOK);
    }
    double first = (Stand.nanos() - begin) / 1e6;
    Stand.passTime(Duration.ofSeconds(minutes * 60L + 2));
    cancel(stand, id);
    report
        .figure("start_answer_ms", answered)
        .figure("start_first_arrival_ms", first)
        .atMost("start of a redrive until its first message arrives", first / 1e3, 1, "s");
    Stand.passTime(Duration.ofSeconds(1));
    List<Long> times = new ArrayList<>();
    ReceiptLog.read(receipts).forEach(receipt -> times.add(receipt.firstByteNanos()));
    long zero = times.getFirst();
    for (int minute = 0; minute < minutes; minute++) {
      long from = zero + minute * 60_000_000_000L;
      long count = times.stream().filter(at -> at >= from && at < from + 60_000_000_000L).count();
      double off = Math.abs(count - PER_MINUTE) * 100.0 / PER_MINUTE;
      report
          .figure("minute_%d_messages".formatted(minute + 1), count)
          .atMost("minute %d off its rate".formatted(minute + 1), off, 1, "%");
    }
  }

  private void uncapped(Stand stand, Stand.Receiving receiver, Report report) throws Exception {
    long before = receiver.count();
    String id = start(stand, "shelf-1", "\"rate_per_minute\":0");
    while (receiver.count() - before < BUDGET_PER_SECOND * 2L) {
      Stand.passTime(LOOK);
    }
    long from = receiver.count();
    long begin = Stand.nanos();
    while (receiver.count() - before < BUDGET_PER_SECOND * 25L) {
      Stand.passTime(LOOK);
    }
    double perSecond = (receiver.count() - from) / ((Stand.nanos() - begin) / 1e9);
    cancel(stand, id);
    report
        .figure("uncapped_per_second", perSecond)
        .setting("budget_per_second", BUDGET_PER_SECOND)
        .atLeast(
            "uncapped, share of the destination's budget",
            perSecond * 100 / BUDGET_PER_SECOND,
            95,
            "%")
        .atMost(
            "uncapped, over the destination's budget",
            perSecond * 100 / BUDGET_PER_SECOND - 100,
            1,
            "%");
  }

  private static String start(Stand stand, String destination, String pace) throws Exception {
    String body =
        "{\"destination\":\"%s\",%s,\"canary\":{\"first\":0},\"reason\":\"bench\"}"
            .formatted(destination, pace);
    HttpConnection.Response answer = post(stand, "/v1/redrives", body);
    if (answer.status() != 201) {
      throw new IOException("the redrive was refused: " + answer.text());
    }
    return JSON.readTree(answer.text()).at("/items/0/id").asString();
  }

  private static void cancel(Stand stand, String id) throws Exception {
    post(stand, "/v1/redrives/" + id + "/cancel", "{\"reason\":\"bench\"}");
  }

  private static HttpConnection.Response post(Stand stand, String path, String body)
      throws Exception {
    try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
      return connection.post(path, body.getBytes(StandardCharsets.UTF_8));
    }
  }

  // ---- deaths

  /** What waits for a destination that is disabled goes to the shelf, all of it. */
  private void deaths(Stand stand, Report report, Path log) throws Exception {
    stand.gate("pause", "shelf-", 3);
    stand
        .startLoad(
            List.of(
                "--prefix=shelf-",
                "--destinations=3",
                "--batch=500",
                "--rate=1000000",
                "--connections=2",
                "--events=" + storm,
                "--log=" + log + ".fill"))
        .result();
    Ledger ledger = stand.ledger();
    long letters = ledger.number("select count(*) from penstock.dead_letter");
    Stand.Loading load = load(stand, seconds, log);
    Stand.passTime(Duration.ofSeconds(2));
    long begin = Stand.nanos();
    stand.gate("disable", "shelf-", 3);
    while (ledger.number("select count(*) from penstock.delivery where destination_id ^@ 'shelf-'")
        > 0) {
      Stand.passTime(Duration.ofMillis(500));
    }
    double took = (Stand.nanos() - begin) / 1e9;
    load.result();
    report
        .figure("deaths_took_s", took)
        .figure("deaths", ledger.number("select count(*) from penstock.dead_letter") - letters);
  }

  // ---- healthy traffic

  private static Stand.Loading load(Stand stand, int howLong, Path log) throws Exception {
    return stand.startLoad(
        List.of(
            "--prefix=load-",
            "--destinations=" + HEALTHY,
            "--batch=1",
            "--rate=" + HEALTHY_PER_SECOND,
            "--connections=16",
            "--events=" + (long) HEALTHY_PER_SECOND * howLong,
            "--log=" + log));
  }

  private static double p99(Path posts, Path receipts) throws IOException {
    Map<String, Long> answered = new HashMap<>();
    PostLog.read(posts).forEach(post -> answered.put(post.eventId(), post.answeredNanos()));
    Histogram micros = new Histogram(LONGEST_MICROS, 3);
    for (ReceiptLog.Receipt receipt : ReceiptLog.read(receipts)) {
      Long at = answered.get(receipt.webhookId());
      if (at != null) {
        micros.recordValue(Math.clamp((receipt.firstByteNanos() - at) / 1_000, 0, LONGEST_MICROS));
      }
    }
    return micros.getValueAtPercentile(99) / 1e3;
  }

  private static void moved(Report report, String by, double before, double during) {
    report
        .figure("healthy_p99_alone_ms", before)
        .figure("healthy_p99_beside_%s_ms".formatted(by), during)
        .atMost("p99 of healthy traffic moved by " + by, during - before, 5, "ms");
  }
}
