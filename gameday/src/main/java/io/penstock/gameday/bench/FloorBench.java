package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the ledger alone can do. */
@Command(
    name = "floor",
    description = "Accepts, claims and settles through the ledger alone, without HTTP.",
    mixinStandardHelpOptions = true)
public final class FloorBench implements Callable<Integer> {
  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--seconds", defaultValue = "20", description = "How long to measure.")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    return options.print(measured());
  }

  private Report measured() throws Exception {
    try (Stand stand = Stand.withOwnPostgres(options.folder("floor"), "")) {
      Ledger database = stand.ledger();
      try (Floor floor = Floor.open(database)) {
        Floor.Measured measured =
            floor.run(database, Duration.ofSeconds(5), Duration.ofSeconds(seconds));
        return new Report("floor")
            .figure("floor_per_second", measured.perSecond())
            .figure("wal_bytes_per_delivery", measured.walBytesPerDelivery())
            .figure("claim_p50_ms", measured.claimMicros().getValueAtPercentile(50) / 1e3)
            .figure("claim_p95_ms", measured.claimMicros().getValueAtPercentile(95) / 1e3)
            .setting("seconds", seconds)
            .setting("destinations", Floor.DESTINATIONS)
            .setting("ingest_connections", Floor.INGEST_CONNECTIONS)
            .setting("ingest_batch", Floor.BATCH)
            .setting("payload_bytes", Floor.PAYLOAD_BYTES);
      }
    }
  }
}
