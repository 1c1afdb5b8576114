package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Home;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.ProcessTimes;
import io.penstock.gameday.stand.Stand;
import io.penstock.postgres.embedded.EmbeddedOptions;
import io.penstock.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How soon a server is ready, and what it needs, before a ledger that is full of waiting work. */
@Command(
    name = "memory",
    description = "Start-up and memory of a server with a million waiting deliveries.",
    mixinStandardHelpOptions = true)
public final class MemoryBench implements Callable<Integer> {
  private static final double MOST_MEGABYTES = 400;
  private static final double MOST_READY_SECONDS = 2;
  private static final int DESTINATIONS = 10_000;
  private static final Duration LOOK = Duration.ofMillis(250);

  /** About 100 deliveries a second go out while the rest waits. */
  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 0.01
        burst: 1
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--waiting", defaultValue = "1000000", description = "Waiting deliveries.")
  private int waiting;

  @Option(names = "--seconds", defaultValue = "60", description = "How long to watch.")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    return options.print(measured());
  }

  private Report measured() throws Exception {
    try (Stand stand = Stand.withEmbedded(options.folder("memory"), LIMITS)) {
      Stand.Receiving receiver = stand.startReceiver(null);
      stand.startServer();
      stand.makeDestinations("load-", 1, receiver.url() + "/");
      stand.server().terminate();
      double postgres = fillAndTime(stand);
      double ready = stand.startServer().toNanos() / 1e9;
      long before = receiver.count();
      long most = watch(stand);
      return report(postgres, ready, most, receiver.count() - before);
    }
  }

  private Report report(double postgres, double ready, long mostBytes, long delivered) {
    double megabytes = mostBytes / 1e6;
    return new Report("memory")
        .figure("postgres_start_s", postgres)
        .figure("ready_s", ready)
        .figure("server_rss_mb", megabytes)
        .figure("delivered_meanwhile", delivered)
        .setting("waiting", waiting)
        .setting("destinations", DESTINATIONS)
        .setting("seconds", seconds)
        .setting("trained", Home.find().isTrained())
        .atMost("ready beyond Postgres's own start", ready - postgres, MOST_READY_SECONDS, "s")
        .atMost("resident memory of the server", megabytes, MOST_MEGABYTES, "MB");
  }

  /** Fills the ledger while no server runs, and takes the time of a start of its Postgres alone. */
  private double fillAndTime(Stand stand) throws Exception {
    EmbeddedOptions embedded = EmbeddedOptions.under(stand.embeddedRoot());
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(embedded)) {
      Ledger ledger = new Ledger(postgres.jdbcUrl(), postgres.user(), postgres.password());
      options.progress("making %,d waiting deliveries".formatted(waiting));
      ledger.execute(WaitingRows.DESTINATIONS, DESTINATIONS);
      ledger.execute(WaitingRows.BUDGETS, DESTINATIONS);
      ledger.execute(WaitingRows.EVENTS, DESTINATIONS, waiting);
      ledger.execute(WaitingRows.DELIVERIES);
      ledger.execute("vacuum analyze");
    }
    long begin = Stand.nanos();
    EmbeddedPostgres alone = EmbeddedPostgres.start(embedded);
    double seconds = (Stand.nanos() - begin) / 1e9;
    alone.close();
    return seconds;
  }

  private long watch(Stand stand) throws InterruptedException {
    long most = 0;
    for (long look = 0; look < Duration.ofSeconds(seconds).dividedBy(LOOK); look++) {
      most = Math.max(most, ProcessTimes.residentBytes(stand.server().pid()));
      Stand.passTime(LOOK);
    }
    return most;
  }
}
