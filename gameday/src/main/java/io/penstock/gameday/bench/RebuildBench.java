package io.penstock.gameday.bench;

import io.penstock.gameday.load.HttpConnection;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How long a node needs to derive its schedule from the ledger anew. */
@Command(
    name = "rebuild",
    description =
        "Rebuilds the schedule from 1 million waiting deliveries of 10,000 destinations, in a"
            + " running server that is paused: its claimer looks at each of them meanwhile.",
    mixinStandardHelpOptions = true)
public final class RebuildBench implements Callable<Integer> {
  private static final double MOST_SECONDS = 2;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--waiting", defaultValue = "1000000", description = "Waiting deliveries.")
  private int waiting;

  @Option(names = "--destinations", defaultValue = "10000", description = "Destinations.")
  private int destinations;

  @Option(names = "--turns", defaultValue = "5", description = "How often it is rebuilt.")
  private int turns;

  @Override
  public Integer call() throws Exception {
    return options.print(measured());
  }

  private Report measured() throws Exception {
    try (Stand stand = Stand.withOwnPostgres(options.folder("rebuild"), "")) {
      stand.startServer();
      stand.makeDestinations("load-", 1, "http://127.0.0.1:9999/");
      try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
        post(connection, "/v1/everything/pause");
      }
      fill(stand.ledger()); // longer than the server keeps an idle connection
      try (HttpConnection connection = new HttpConnection(stand.api(), stand.key())) {
        List<Double> seconds = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
          JsonNode rebuilt = post(connection, "/v1/schedule/rebuild");
          int found = rebuilt.path("destinations").asInt();
          if (found != destinations) {
            throw new IOException("found %,d of %,d destinations".formatted(found, destinations));
          }
          seconds.add(rebuilt.path("took_ms").asDouble() / 1e3);
          options.progress("turn %d: %.3f s".formatted(turn + 1, seconds.getLast()));
        }
        return report(seconds);
      }
    }
  }

  private static JsonNode post(HttpConnection connection, String path) throws IOException {
    byte[] body = "{\"reason\":\"bench\"}".getBytes(StandardCharsets.UTF_8);
    HttpConnection.Response response = connection.post(path, body);
    if (response.status() != 200) {
      throw new IOException(path + " answered " + response.status() + ": " + response.text());
    }
    return JSON.readTree(response.text());
  }

  private void fill(Ledger ledger) throws Exception {
    options.progress("making %,d waiting deliveries".formatted(waiting));
    ledger.execute(WaitingRows.DESTINATIONS, destinations);
    ledger.execute(WaitingRows.BUDGETS, destinations);
    ledger.execute(WaitingRows.EVENTS, destinations, waiting);
    ledger.execute(WaitingRows.DELIVERIES);
    ledger.execute("vacuum analyze");
    ledger.execute("checkpoint");
  }

  private Report report(List<Double> seconds) {
    double worst = Collections.max(seconds);
    double median = seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
    return new Report("rebuild")
        .figure("rebuild_median_s", median)
        .figure("rebuild_worst_s", worst)
        .setting("waiting", waiting)
        .setting("destinations", destinations)
        .setting("turns", turns)
        .atMost("schedule rebuilt, the worst of all turns", worst, MOST_SECONDS, "s");
  }
}
