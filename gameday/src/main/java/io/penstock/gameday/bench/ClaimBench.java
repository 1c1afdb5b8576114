package io.penstock.gameday.bench;

import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Ledger;
import io.penstock.gameday.stand.Stand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether claims slow down with the number of deliveries that have ended. */
@Command(
    name = "claim",
    description = "Claim durations beside 10 million finished deliveries against 10 thousand.",
    mixinStandardHelpOptions = true)
public final class ClaimBench implements Callable<Integer> {
  private static final long FEW = 10_000;
  private static final double MOST_RATIO = 1.2;
  private static final double MOST_MORE_MS = 1;
  private static final Duration WARM_UP = Duration.ofSeconds(5);

  /** Rows of one filling statement. */
  private static final long STEP = 500_000;

  private static final String FILL =
      """
      insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id, position,
        lane, urgency, state, attempt, not_before, age_from, lease_no, last_status, redrive_count,
        size, done_at)
      select 0, 'floor-' || n % 1000, uuidv7(interval '-1 hour'), current_date, 'floor', -n,
        0, 0, 'delivered', 1, now(), now(), 1, 200, 0, 1024, now()
      from generate_series(?::bigint, ?::bigint) n
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(names = "--finished", defaultValue = "10000000", description = "Rows of the big table.")
  private long finished;

  @Option(names = "--turns", defaultValue = "5", description = "Turns of few and many.")
  private int turns;

  @Option(names = "--seconds", defaultValue = "10", description = "Of each turn.")
  private int seconds;

  @Override
  public Integer call() throws Exception {
    return options.print(measured());
  }

  private Report measured() throws Exception {
    try (Stand stand = Stand.withOwnPostgres(options.folder("claim"), "")) {
      stand.ledger().execute("create database few");
      Ledger few = stand.ledger().of("few");
      Ledger many = stand.ledger();
      try (Floor overFew = Floor.open(few);
          Floor overMany = Floor.open(many)) {
        fill(few, FEW);
        fill(many, finished);
        List<Double> fewMs = new ArrayList<>();
        List<Double> manyMs = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
          fewMs.add(claimP95(overFew, few));
          manyMs.add(claimP95(overMany, many));
          options.progress(
              "turn %d: %.1f ms with few, %.1f with many"
                  .formatted(turn + 1, fewMs.getLast(), manyMs.getLast()));
        }
        return report(fewMs, manyMs);
      }
    }
  }

  private void fill(Ledger database, long rows) throws Exception {
    for (long from = 1; from <= rows; from += STEP) {
      database.execute(FILL, from, Math.min(rows, from + STEP - 1));
      options.progress("%,d of %,d finished rows".formatted(Math.min(rows, from + STEP - 1), rows));
    }
    database.execute("vacuum analyze");
    database.execute("checkpoint");
  }

  private double claimP95(Floor floor, Ledger database) throws Exception {
    Floor.Measured measured = floor.run(database, WARM_UP, Duration.ofSeconds(seconds));
    return measured.claimMicros().getValueAtPercentile(95) / 1e3;
  }

  private Report report(List<Double> fewMs, List<Double> manyMs) {
    double few = median(fewMs);
    double many = median(manyMs);
    return new Report("claim")
        .figure("claim_p95_few_ms", few)
        .figure("claim_p95_many_ms", many)
        .figure("claim_p95_few_spread_ms", Collections.max(fewMs) - Collections.min(fewMs))
        .figure("claim_p95_many_spread_ms", Collections.max(manyMs) - Collections.min(manyMs))
        .setting("finished_few", FEW)
        .setting("finished_many", finished)
        .setting("turns", turns)
        .setting("seconds", seconds)
        .atMost("claim p95 with many", many, MOST_RATIO * few + MOST_MORE_MS, "ms");
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
