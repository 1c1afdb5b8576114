package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Load on a server until its JVM has compiled what that load makes hot, so that no bench measures
 * the compiler. How long that takes follows from the machine, so it is read from the server.
 */
final class WarmUp {
  private static final Duration SLICE = Duration.ofSeconds(10);
  private static final Duration LEAST = Duration.ofSeconds(20);

  /** Load for a warm-up lasts so long, and is stopped earlier. */
  static final int MOST_SECONDS = 240;

  private static final Duration MOST = Duration.ofSeconds(MOST_SECONDS);

  /** Of one core: so much compiling goes on for as long as a server lives. */
  private static final double QUIET = 0.05;

  private static final String COMPILING = "jvm_compilation_time_seconds_total";

  private WarmUp() {}

  /** Waits, while there is load, until little is compiled any more; the report tells how long. */
  static void await(Stand stand, BenchOptions options, Report report)
      throws IOException, SQLException, InterruptedException {
    options.progress("warming up");
    long began = Stand.nanos();
    double share;
    do {
      double before = stand.metric(COMPILING);
      long since = Stand.nanos();
      Stand.passTime(SLICE);
      share = (stand.metric(COMPILING) - before) / ((Stand.nanos() - since) / 1e9);
    } while ((share > QUIET || passed(began).compareTo(LEAST) < 0)
        && passed(began).compareTo(MOST) < 0);
    report
        .figure("warm_up_s", passed(began).toSeconds())
        .figure("compiling_at_its_end_percent_of_a_core", 100 * share);
  }

  /** The same under this load, which ends with it. */
  static void under(Stand.Loading load, Stand stand, BenchOptions options, Report report)
      throws IOException, SQLException, InterruptedException {
    await(stand, options, report);
    load.stop();
    var _ = load.result();
  }

  private static Duration passed(long since) {
    return Duration.ofNanos(Stand.nanos() - since);
  }
}
