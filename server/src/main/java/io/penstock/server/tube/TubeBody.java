package io.penstock.server.tube;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.work.PoolForecast;
import io.penstock.budget.work.WorkBalance;
import io.penstock.budget.work.WorkSettings;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.tube.Silence;
import io.penstock.postgres.read.TubeView;
import io.penstock.server.destination.DestinationState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tube as the API shows it.
 *
 * @param pools that serve it
 * @param work its account of worker-seconds; null = unmetered
 * @param running jobs that workers hold
 * @param mostRunning jobs that they may hold at once
 * @param waiting jobs that wait, counted up to 1,000
 * @param oldest since when the first in line waits; null = nothing waits
 * @param etaSeconds until what waits has gone, at its allotment; null = nothing is due, its gate is
 *     closed, or nobody knows
 * @param silent why it counts as silent; null = it does not
 * @param runs what its runs came to; null = none has ended yet
 */
record TubeBody(
    String id,
    String tenantId,
    String state,
    List<String> pools,
    @Nullable WorkBody work,
    int running,
    int mostRunning,
    int waiting,
    @Nullable Instant oldest,
    @Nullable Double oldestSeconds,
    @Nullable Double etaSeconds,
    @Nullable String silent,
    @Nullable RunsBody runs,
    Instant asOf) {

  /**
   * An account of worker-seconds.
   *
   * @param balanceSeconds now; negative in debt
   * @param allotment workers, continuously
   * @param expectedSeconds how long a job is expected to take
   * @param learned whether enough jobs have taught that; until then they go one at a time
   * @param chargedSeconds in all
   * @param forgivenSeconds debt below the floor that was let off, in all
   * @param lentSeconds counted apart and not charged, in all
   * @param unbankedSeconds allotment that found the account full, in all
   */
  record WorkBody(
      double balanceSeconds,
      double capacitySeconds,
      double allotment,
      double expectedSeconds,
      boolean learned,
      double chargedSeconds,
      double forgivenSeconds,
      double lentSeconds,
      double unbankedSeconds) {}

  /**
   * What runs came to.
   *
   * @param emptyRuns completions without yield since the last one with some
   */
  record RunsBody(
      long completed,
      long failed,
      long lost,
      long released,
      double workedSeconds,
      long yielded,
      long emptyRuns,
      Instant lastRun,
      @Nullable Instant lastSuccess,
      @Nullable Instant lastYield) {}

  static TubeBody of(TubeView view, Limits limits) {
    var destination = view.destination().destination();
    BudgetSettings settings = limits.of(destination.id()).tubeBudget();
    BudgetState budget = Budget.ask(view.destination().budget(), settings, view.now()).state();
    WorkSettings share = settings.work();
    WorkBalance account = share == null ? null : budget.work();
    int most =
        share == null || account == null
            ? settings.slots()
            : Math.min(settings.slots(), account.estimate().known() ? share.mostRunning() : 1);
    String silent = silence(view, limits).orElse(null);
    DestinationState state = DestinationState.of(view.destination().inForce(), budget, settings);
    // What is due later, as most of a wave is, waits for its time and not for a worker.
    boolean isDue = view.oldest() != null && !view.oldest().isAfter(view.now());
    Instant oldest = isDue ? view.oldest() : null;
    return new TubeBody(
        destination.id(),
        destination.tenantId(),
        word(state, silent != null, isDue && isDry(account, share)),
        limits.pools().entrySet().stream()
            .filter(pool -> pool.getValue().serves(destination.id()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList(),
        account == null || share == null ? null : work(account, share),
        view.running(),
        most,
        view.waiting(),
        oldest,
        oldest == null ? null : seconds(Duration.between(oldest, view.now())),
        account == null || share == null || !isDue || !isOpen(state)
            ? null
            : eta(view.waiting(), account, share),
        silent,
        view.counts() == null ? null : runs(view.counts()),
        view.now());
  }

  /**
   * An open tube may have a sign of its own: nothing comes of its jobs, or its account is empty.
   */
  private static String word(DestinationState state, boolean silent, boolean dry) {
    if (!isOpen(state)) {
      return state.word();
    }
    return silent ? "silent" : dry ? "dry" : state.word();
  }

  private static boolean isOpen(DestinationState state) {
    return state.compareTo(DestinationState.SHRUNKEN) >= 0;
  }

  /** Whether its account does not pay for the next job, so that no worker gets it yet. */
  private static boolean isDry(@Nullable WorkBalance account, @Nullable WorkSettings share) {
    return account != null && share != null && account.seconds() < account.wanted(share);
  }

  /** Why a tube counts as silent; empty = it does not. */
  static Optional<String> silence(TubeView view, Limits limits) {
    TubeView.Counts counts = view.counts();
    boolean busy = view.running() > 0 || view.waiting() > 0;
    Instant active =
        busy ? view.now() : counts == null ? view.destination().createdAt() : counts.lastRun();
    Silence.Facts facts =
        counts == null
            ? new Silence.Facts(0, null, null, active)
            : new Silence.Facts(
                counts.emptyRuns(), counts.lastYield(), counts.lastSuccess(), active);
    return Silence.of(limits.of(view.destination().destination().id()).tube(), facts, view.now());
  }

  private static WorkBody work(WorkBalance account, WorkSettings limits) {
    return new WorkBody(
        rounded(account.seconds()),
        seconds(limits.capacity()),
        limits.allotment(),
        rounded(account.estimate().seconds()),
        account.estimate().known(),
        rounded(account.charged()),
        rounded(account.forgiven()),
        rounded(account.lent()),
        rounded(account.clipped()));
  }

  /** What is banked pays for the first of them; the rest comes as fast as the allotment. */
  private static double eta(int waiting, WorkBalance account, WorkSettings limits) {
    double backlog = waiting * account.estimate().seconds() - account.seconds();
    return seconds(PoolForecast.drains(backlog, limits.allotment()));
  }

  private static RunsBody runs(TubeView.Counts counts) {
    return new RunsBody(
        counts.completed(),
        counts.failed(),
        counts.lost(),
        counts.released(),
        rounded(counts.workedSeconds()),
        counts.yielded(),
        counts.emptyRuns(),
        counts.lastRun(),
        counts.lastSuccess(),
        counts.lastYield());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }

  private static double rounded(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }
}
