package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Child;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** From post to settled, over real HTTP on both sides, against the floor of the same run. */
@Command(
    name = "throughput",
    description = {
      "Sustained deliveries per second from post to settled, against the floor of the same run,",
      "and the drain of a backlog to one and to many destinations."
    },
    mixinStandardHelpOptions = true)
public final class ThroughputBench implements Callable<Integer> {
  /** Of the floor; see docs/bench. */
  private static final double SHARE_OF_FLOOR = 0.4;

  private static final double DRAIN_PER_SECOND = 8_000;
  private static final int BACKLOG = 50_000;
  private static final int DESTINATIONS = Floor.DESTINATIONS;
  private static final String MANY = "many-";
  private static final String ONE = "one-";

  private static final Duration FLOOR_WARM_UP = Duration.ofSeconds(15);

  /** No limit of ours may be what is measured. */
  static final String UNLIMITED =
      """
      defaults:
        rate_per_second: 1000000
        burst: 1000000
        slots: 1000
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--seconds", defaultValue = "30", description = "How long to measure.")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    Report report =
        new Report("throughput")
            .setting("seconds", seconds)
            .setting("destinations", DESTINATIONS)
            .setting("batch", Floor.BATCH)
            .setting("posting_connections", Floor.INGEST_CONNECTIONS)
            .setting("payload_bytes", Floor.PAYLOAD_BYTES);
    Path folder = options.folder("throughput");
    try (Stand stand = Stand.withOwnPostgres(folder, UNLIMITED)) {
      double before = floor(stand);
      Stand.Receiving receiver = stand.startReceiver(null);
      double sustained = sustained(stand, receiver, report);
      drains(stand, receiver, report);
      stand.server().terminate();
      double after = floor(stand);
      double floor = (before + after) / 2;
      report
          .figure("floor_per_second", floor)
          .figure("floor_spread_percent", 100 * Math.abs(before - after) / floor)
          .figure("share_of_floor", sustained / floor)
          .atLeast("sustained", sustained, SHARE_OF_FLOOR * floor, "deliveries/s");
    }
    return options.print(report);
  }

  private double floor(Stand stand) throws Exception {
    options.progress("floor: the ledger alone");
    Ledger database = stand.ledger();
    try (Floor floor = Floor.open(database)) {
      double measured =
          floor.run(database, FLOOR_WARM_UP, Duration.ofSeconds(seconds / 2)).perSecond();
      // What is left over must not be found by the server.
      database.execute("delete from penstock.delivery where tenant_id = 'floor'");
      return measured;
    }
  }

  // ---- sustained

  private double sustained(Stand stand, Stand.Receiving receiver, Report report) throws Exception {
    options.progress("sustained: posting in batches");
    stand.set("PENSTOCK_NODE_SLOTS", "1000");
    stand.startServer();
    stand.makeDestinations(MANY, DESTINATIONS, receiver.url() + "/");
    stand.makeDestinations(ONE, 1, receiver.url() + "/");
    Stand.Loading load =
        stand.startLoad(
            List.of(
                "--receiver=" + receiver.url(),
                "--prefix=" + MANY,
                "--destinations=" + DESTINATIONS,
                "--events=" + Long.MAX_VALUE / 2,
                "--log=" + stand.folder().resolve("posts")));
    WarmUp.await(stand, options, report);
    Map<String, Child> processes = new LinkedHashMap<>();
    processes.put("server", stand.server());
    processes.put("generator", load.child());
    processes.put("receiver", receiver.child());
    CpuTimes cpu = CpuTimes.now(stand, processes);
    long wal = stand.ledger().walBytes();
    long count = receiver.count();
    long begin = Stand.nanos();
    Stand.passTime(Duration.ofSeconds(seconds));
    long deliveries = receiver.count() - count;
    double perSecond = deliveries / ((Stand.nanos() - begin) / 1e9);
    report.figure("sustained_per_second", perSecond);
    report.figure(
        "wal_bytes_per_delivery", (stand.ledger().walBytes() - wal) / (double) deliveries);
    CpuTimes.now(stand, processes).since(cpu).addTo(report, (double) deliveries);
    load.stop();
    long accepted = load.result().path("accepted").asLong();
    awaitEmpty(stand.ledger());
    report.atMost("accepted and not received", (double) (accepted - receiver.count()), 0, "events");
    return perSecond;
  }

  // ---- drains

  private void drains(Stand stand, Stand.Receiving receiver, Report report) throws Exception {
    double many = drain(stand, receiver, MANY, DESTINATIONS);
    double one = drain(stand, receiver, ONE, 1);
    report
        .figure("drain_to_1000_per_second", many)
        .figure("drain_to_one_per_second", one)
        .atLeast("drain to 1,000 destinations", many, DRAIN_PER_SECOND, "deliveries/s")
        .atLeast("drain to one destination", one, DRAIN_PER_SECOND, "deliveries/s");
  }

  private double drain(Stand stand, Stand.Receiving receiver, String prefix, int destinations)
      throws Exception {
    options.progress("drain of %,d to %,d destinations".formatted(BACKLOG, destinations));
    return Drain.measure(stand, receiver, prefix, destinations, BACKLOG);
  }

  static void awaitEmpty(Ledger ledger) throws SQLException, InterruptedException {
    while (ledger.open() > 0) {
      Stand.passTime(Duration.ofMillis(10));
    }
  }
}
