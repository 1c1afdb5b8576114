package io.penstock.server.tube;

import io.penstock.budget.work.Recurrence;
import io.penstock.server.tube.Supply.Part;
import io.penstock.server.tube.Supply.PoolSupply;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool's supply and demand as the API shows it. All but the sizes and seconds in workers.
 *
 * @param pool null = workers that name their tubes themselves
 * @param size workers that the limits file says; 0 = it does not
 * @param workers that were heard of within a minute and a half
 * @param running jobs that they hold
 * @param allotted the sum of the allotments of its metered tubes
 * @param unmetered tubes without an allotment
 * @param demand what really arrived × the expected duration
 * @param slackPercent what the greater of both leaves of the workers; negative = too few
 * @param overCommitted whether more is promised or arrives than there is
 * @param verdict the same in one sentence, with its numbers
 */
record PoolBody(
    @Nullable String pool,
    int size,
    int workers,
    int running,
    double allotted,
    int unmetered,
    double demand,
    double slackPercent,
    boolean overCommitted,
    String verdict,
    List<DemandBody> tubes) {

  /**
   * One tube of the pool.
   *
   * @param share the pool's part of it, when several pools serve it
   * @param allotment null = unmetered
   * @param measuredSeconds over which arrivals were counted
   * @param demand in workers, of the whole tube
   */
  record DemandBody(
      String tube,
      double share,
      @Nullable Double allotment,
      long arrived,
      double measuredSeconds,
      double arrivedPerMinute,
      double expectedSeconds,
      double demand,
      @Nullable BatchBody batch) {}

  /**
   * A batch that comes again and again.
   *
   * @param drainsSeconds until it has gone, from a full account
   * @param next when the next one is to be expected
   * @param inTime whether it has gone by then
   */
  record BatchBody(
      long jobs,
      double everySeconds,
      double drainsSeconds,
      boolean inTime,
      Instant next,
      int seen,
      String derivedFrom) {}

  static PoolBody of(PoolSupply pool) {
    return new PoolBody(
        pool.name(),
        pool.size(),
        pool.present(),
        pool.running(),
        rounded(pool.forecast().allotted()),
        (int) pool.parts().stream().filter(part -> part.tube().work() == null).count(),
        rounded(pool.forecast().arriving()),
        rounded(pool.forecast().slackPercent()),
        pool.commitment().isOver(),
        pool.commitment().sentence(),
        pool.parts().stream().map(PoolBody::demand).toList());
  }

  private static DemandBody demand(Part part) {
    Supply.Tube tube = part.tube();
    var measured = tube.measured();
    double seconds = measured.over().toMillis() / 1_000.0;
    return new DemandBody(
        tube.id(),
        rounded(part.share()),
        tube.work() == null ? null : tube.allotted(),
        measured.jobs(),
        rounded(seconds),
        rounded(measured.jobs() * 60 / seconds),
        rounded(measured.expectedSeconds()),
        rounded(measured.demand()),
        batch(tube));
  }

  private static @Nullable BatchBody batch(Supply.Tube tube) {
    Recurrence batch = tube.measured().batch().orElse(null);
    return batch == null
        ? null
        : new BatchBody(
            batch.jobs(),
            batch.every().toSeconds(),
            tube.batchDrains().map(drains -> rounded(drains.toMillis() / 1_000.0)).orElse(0.0),
            tube.isDrainedInTime(),
            batch.next(),
            batch.seen(),
            "arrivals");
  }

  static double rounded(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }
}
