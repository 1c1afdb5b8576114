package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * From the rename of one node's limits file to the first claim under it on the last of three nodes.
 * Every destination is closed (rate 0) with work waiting; the new file opens them. The other nodes
 * have files of their own, which do not change: they hear of the version from the ledger. Both
 * times are the database's.
 */
@Command(
    name = "limits",
    description = {
      "From the rename of a limits file to the first claim under it on the last of three nodes",
      "on one database."
    },
    mixinStandardHelpOptions = true)
public final class LimitsBench implements Callable<Integer> {
  private static final int NODES = 3;

  /** Enough that each node gets some of them before others have taken all. */
  private static final int DESTINATIONS = 90;

  private static final int EVENTS_PER_DESTINATION = 40;
  private static final String PREFIX = "limited-";
  private static final double MOST_SECONDS = 1;
  private static final Duration LOOK = Duration.ofMillis(20);

  /** A change that has not come everywhere by then has not come. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final String CLOSED =
      """
      defaults:
        rate_per_second: 0
        burst: 10
      """;

  private static final String OPEN =
      """
      defaults:
        rate_per_second: 20
        burst: 10
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--rounds", defaultValue = "10", description = "Changes to measure.")
  private int rounds;

  @Override
  public Integer call() throws Exception {
    Report report =
        new Report("limits")
            .setting("nodes", NODES)
            .setting("rounds", rounds)
            .setting("destinations", DESTINATIONS);
    Path folder = options.folder("limits");
    try (Stand stand = Stand.withOwnPostgres(folder, CLOSED)) {
      stand.startServer();
      for (int node = 2; node <= NODES; node++) {
        Path own = Files.writeString(folder.resolve("limits-%d.yaml".formatted(node)), "# mine\n");
        stand.set("PENSTOCK_LIMITS_FILE", own.toString());
        stand.startAnotherNode();
      }
      fill(stand);
      List<Double> seconds = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        double took = round(stand, folder.resolve("limits.yaml"), round);
        options.progress("round %d: %.3f s".formatted(round, took));
        seconds.add(took);
      }
      List<Double> sorted = seconds.stream().sorted().toList();
      report
          .figure("median_seconds", sorted.get(sorted.size() / 2))
          .figure("fastest_seconds", sorted.getFirst())
          .figure("slowest_seconds", sorted.getLast())
          .atMost(
              "rename to first claim on the last node, slowest",
              sorted.getLast(),
              MOST_SECONDS,
              "s");
    }
    return options.print(report);
  }

  private void fill(Stand stand) throws Exception {
    Stand.Receiving receiver = stand.startReceiver(null);
    stand.makeDestinations(PREFIX, DESTINATIONS, receiver.url() + "/");
    long events = (long) DESTINATIONS * EVENTS_PER_DESTINATION * rounds;
    options.progress("posting %,d events to closed destinations".formatted(events));
    Stand.Loading load =
        stand.startLoad(
            List.of(
                "--prefix=" + PREFIX,
                "--destinations=" + DESTINATIONS,
                "--events=" + events,
                "--outstanding=" + events,
                "--log=" + stand.folder().resolve("posts")));
    load.result();
  }

  private double round(Stand stand, Path file, int round) throws Exception {
    Ledger ledger = stand.ledger();
    try (Connection connection = ledger.connect()) {
      double before = seconds(connection, "select extract(epoch from clock_timestamp())", 0);
      rename(file, "# round %d%n".formatted(round) + OPEN);
      double last = 0;
      for (long began = Stand.nanos(); last == 0; ) {
        last = lastNodesFirst(connection, before);
        if (Stand.nanos() - began > PATIENCE.toNanos()) {
          return PATIENCE.toSeconds();
        }
        Stand.passTime(LOOK);
      }
      rename(file, "# closed again in round %d%n".formatted(round) + CLOSED);
      awaitQuiet(connection);
      return last - before;
    }
  }

  /** As editors and deployments do it: whole, and in one step. */
  private static void rename(Path file, String content) throws IOException {
    Path next = Files.writeString(file.resolveSibling(".limits.next"), content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** When the last node began its first attempt since then; 0 = not all of them have. */
  private static double lastNodesFirst(Connection connection, double since) throws SQLException {
    return seconds(
        connection,
        """
        select case when count(*) = 3 then extract(epoch from max(first)) else 0 end
        from (
          select node, min(started_at) as first
          from penstock.attempt
          where started_at >= to_timestamp(?)
          group by node) as nodes
        """,
        since);
  }

  private static double seconds(Connection connection, String sql, double parameter)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (sql.contains("?")) {
        statement.setDouble(1, parameter);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getDouble(1);
      }
    }
  }

  /** Until nothing is in flight and no attempt began for two seconds: all nodes are closed. */
  private static void awaitQuiet(Connection connection) throws Exception {
    String busy =
        """
        select (select count(*) from penstock.delivery where state = 'leased')
          + (select count(*) from penstock.attempt
             where started_at > clock_timestamp() - interval '2 seconds')
        """;
    while (seconds(connection, busy, 0) > 0) {
      Stand.passTime(LOOK);
    }
  }
}
