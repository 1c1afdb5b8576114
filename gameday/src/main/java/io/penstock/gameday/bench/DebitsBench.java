package io.penstock.gameday.bench;

import io.penstock.gameday.receiver.ArrivalLog;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Debits and requests in every window against rate × t + burst. */
@Command(
    name = "debits",
    description = {
      "One node, and then three on one database, send backlogs under limits from 0.2 to 400 per",
      "second. A trigger in the database writes down every debit; the receiver every request."
    },
    mixinStandardHelpOptions = true)
public final class DebitsBench implements Callable<Integer> {
  private static final int NODES = 3;
  private static final String WARM = "warm-";
  private static final int WARM_DESTINATIONS = 50;
  private static final int WARM_PER_SECOND = 200;
  private static final int WARM_SECONDS = 12;

  /** Between a debit and its request at the socket. */
  private static final double LATEST_START_SECONDS = 0.1;

  /** Fractions of a token that a sum of doubles may lose. */
  private static final double ROUNDING = 1e-3;

  /** Postgres tells microseconds. */
  private static final long NANOS_PER_MICRO = 1_000;

  /**
   * Deliveries are healthy and answered, so what leaves its lease and stays was handed back. The
   * time of a debit is the claim's clock: where the lease ends, less its length.
   */
  private static final String WATCH =
      """
      create unlogged table public.bench_debit (
        destination_id text not null, count int not null, at timestamptz not null);
      create function public.bench_debited() returns trigger language plpgsql as $$
      begin
        if new.lease_until is not null and old.lease_until is null then
          insert into public.bench_debit
          values (new.destination_id, 1, new.lease_until - interval '20 seconds');
        elsif new.lease_until is null and old.lease_until is not null then
          insert into public.bench_debit values (new.destination_id, -1, clock_timestamp());
        end if;
        return null;
      end $$;
      create trigger bench_debited after update on penstock.delivery
        for each row execute function public.bench_debited()
      """;

  private static final String DEBITS =
      """
      select destination_id, count, extract(epoch from at) * 1000000 as micros
      from public.bench_debit
      order by at, count
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "How long with each number of nodes.")
  private int seconds;

  /** A destination's limit. */
  private record Limit(String prefix, double rate, int burst, long backlog) {
    String id() {
      return prefix + "0";
    }
  }

  @Override
  public Integer call() throws Exception {
    Report report = new Report("debits").setting("seconds", seconds).setting("nodes", NODES);
    Path folder = options.folder("debits");
    run(1, folder.resolve("one"), report);
    run(NODES, folder.resolve("three"), report);
    return options.print(report);
  }

  private List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    double[][] each = {{0.2, 1}, {2, 5}, {20, 1}, {50, 100}, {150, 20}, {400, 40}};
    for (double[] one : each) {
      long backlog = (long) (one[1] + one[0] * (seconds + 30)) + 10;
      limits.add(new Limit("at-" + one[0] + "-", one[0], (int) one[1], backlog));
    }
    return limits;
  }

  private static String file(List<Limit> limits) {
    StringBuilder text = new StringBuilder("destinations:\n");
    for (Limit limit : limits) {
      text.append(
          "  %s:%n    rate_per_second: %s%n    burst: %d%n    timeout: 15s%n"
              .formatted(limit.id(), limit.rate(), limit.burst()));
    }
    return text.toString();
  }

  private void run(int nodes, Path folder, Report report) throws Exception {
    options.progress(nodes + (nodes == 1 ? " node" : " nodes"));
    List<Limit> limits = limits();
    Path arrivals = folder.resolve("arrivals");
    Map<String, Overrun> debits = new LinkedHashMap<>();
    long[] handedBack = new long[1];
    try (Stand stand = Stand.withOwnPostgres(folder, file(limits))) {
      Stand.Receiving receiver = stand.startReceiver(null, arrivals);
      stand.startServer();
      List<URI> apis = new ArrayList<>(List.of(stand.api()));
      for (int i = 1; i < nodes; i++) {
        apis.add(stand.startAnotherNode());
      }
      for (Limit limit : limits) {
        stand.makeDestination(limit.id(), receiver.url() + "/delay/5/" + limit.id());
      }
      warmUp(stand, receiver, apis);
      try (Connection connection = stand.ledger().connect();
          var statement = connection.createStatement()) {
        statement.execute(WATCH);
      }
      List<Stand.Loading> loads = new ArrayList<>();
      for (URI api : apis) {
        for (Limit limit : limits) {
          loads.add(load(stand, api, limit, Math.ceilDiv(limit.backlog(), nodes)));
        }
      }
      Stand.passTime(Duration.ofSeconds(seconds));
      for (Stand.Loading load : loads) {
        load.stop();
      }
      limits.forEach(limit -> debits.put(limit.id(), new Overrun(limit.rate())));
      handedBack[0] = read(stand.ledger(), debits);
      receiver.child().close();
    }
    report(nodes, limits, debits, atTheSocket(arrivals, limits), handedBack[0], report);
  }

  /** Compiles what is hot on every node: a first request takes longer than it may. */
  private static void warmUp(Stand stand, Stand.Receiving receiver, List<URI> apis)
      throws Exception {
    stand.makeDestinations(WARM, WARM_DESTINATIONS, receiver.url() + "/");
    List<Stand.Loading> loads = new ArrayList<>();
    for (URI api : apis) {
      loads.add(
          stand.startLoad(
              api,
              List.of(
                  "--prefix=" + WARM,
                  "--destinations=" + WARM_DESTINATIONS,
                  "--rate=" + WARM_PER_SECOND,
                  "--batch=5",
                  "--events=" + WARM_PER_SECOND * WARM_SECONDS,
                  "--log=" + stand.folder().resolve("warm-" + api.getPort()))));
    }
    for (Stand.Loading load : loads) {
      var _ = load.result();
    }
    ThroughputBench.awaitEmpty(stand.ledger());
  }

  private static Stand.Loading load(Stand stand, URI api, Limit limit, long events)
      throws Exception {
    return stand.startLoad(
        api,
        List.of(
            "--prefix=" + limit.prefix(),
            "--destinations=1",
            "--bytes=64",
            "--batch=50",
            "--connections=1",
            "--events=" + events,
            "--outstanding=" + Long.MAX_VALUE / 2,
            "--log=" + stand.folder().resolve("posts-" + api.getPort() + limit.id())));
  }

  /** Fills in the debits; how many came back unsent. */
  private static long read(Ledger ledger, Map<String, Overrun> debits) throws SQLException {
    long handedBack = 0;
    try (Connection connection = ledger.connect();
        PreparedStatement statement = connection.prepareStatement(DEBITS);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Overrun its = debits.get(rows.getString(1));
        if (its != null) {
          its.add(rows.getInt(2), rows.getLong(3) * NANOS_PER_MICRO);
          handedBack += rows.getInt(2) < 0 ? 1 : 0;
        }
      }
    }
    return handedBack;
  }

  private record Socket(Overrun overrun, int count) {}

  private static Map<String, Socket> atTheSocket(Path arrivals, List<Limit> limits)
      throws Exception {
    Map<String, Overrun> overruns = new HashMap<>();
    Map<String, Integer> counts = new HashMap<>();
    limits.forEach(limit -> overruns.put(limit.id(), new Overrun(limit.rate())));
    for (ArrivalLog.Arrival one : ArrivalLog.read(arrivals)) {
      String id = one.path().substring(one.path().lastIndexOf('/') + 1);
      Overrun its = overruns.get(id);
      if (its != null) {
        its.add(1, one.firstByteNanos());
        counts.merge(id, 1, Integer::sum);
      }
    }
    Map<String, Socket> sockets = new HashMap<>();
    overruns.forEach((id, its) -> sockets.put(id, new Socket(its, counts.getOrDefault(id, 0))));
    return sockets;
  }

  private void report(
      int nodes,
      List<Limit> limits,
      Map<String, Overrun> debits,
      Map<String, Socket> sockets,
      long handedBack,
      Report report) {
    String on = nodes == 1 ? "one_node." : "three_nodes.";
    double worstDebit = Double.NEGATIVE_INFINITY;
    double worstSocket = Double.NEGATIVE_INFINITY;
    double leastUsed = Double.POSITIVE_INFINITY;
    for (Limit limit : limits) {
      double debit = debits.getOrDefault(limit.id(), new Overrun(1)).highest() - limit.burst();
      Socket socket = sockets.getOrDefault(limit.id(), new Socket(new Overrun(1), 0));
      double over =
          socket.overrun().highest() - limit.burst() - limit.rate() * LATEST_START_SECONDS;
      double used = socket.count() / (limit.rate() * seconds);
      String name = on + "at_" + limit.rate();
      report
          .figure(name + ".debits_beyond_burst", debit)
          .figure(name + ".requests_beyond_burst", socket.overrun().highest() - limit.burst())
          .figure(name + ".requests", socket.count())
          .figure(name + ".of_rate_percent", 100 * used);
      worstDebit = Math.max(worstDebit, debit);
      worstSocket = Math.max(worstSocket, over);
      leastUsed = Math.min(leastUsed, used);
    }
    report
        .figure(on + "handed_back", handedBack)
        .atMost(on + "debits beyond rate x t + burst", worstDebit, ROUNDING, "debits")
        .atMost(
            on + "requests beyond rate x t + burst + rate x 0.1 s",
            worstSocket,
            ROUNDING,
            "requests")
        .atLeast(on + "requests, of rate x t", 100 * leastUsed, 80, "%");
  }
}
