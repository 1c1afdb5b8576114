package io.penstock.server.tube;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.work.Commitment;
import io.penstock.budget.work.PoolForecast;
import io.penstock.budget.work.Recurrence;
import io.penstock.budget.work.Suggestion.Measured;
import io.penstock.budget.work.WorkBalance;
import io.penstock.budget.work.WorkSettings;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.PoolLimits;
import io.penstock.postgres.limits.Arrivals;
import io.penstock.postgres.read.Page;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.read.TubeView;
import io.penstock.postgres.worker.WorkerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Supply and demand of pools as measured: who is there, what was promised, what really arrived. The
 * rules are those of {@link PoolForecast} and {@link Recurrence}. Safe for use by many threads.
 */
public final class Supply {
  /** What is looked at: a day has every hourly and most other batches several times. */
  static final Duration LOOKED_AT = Duration.ofDays(1);

  /** A worker that polls, or renews in time, is heard of within this. */
  static final Duration PRESENT = Duration.ofSeconds(90);

  private static final Duration LEAST = Duration.ofMinutes(1);
  private static final int MOST_PAGES = 40;
  private static final int WORKERS_AT_ONCE = 1_000;

  /** As many runs as teach the estimate of a metered tube. */
  private static final int KNOWN_RUNS = 3;

  private final TubeReads reads;
  private final WorkerStore workers;
  private final Arrivals arrivals;
  private final Limits limits;

  public Supply(TubeReads reads, WorkerStore workers, Arrivals arrivals, Limits limits) {
    this.reads = reads;
    this.workers = workers;
    this.arrivals = arrivals;
    this.limits = limits;
  }

  /**
   * A tube as measured.
   *
   * @param work null = unmetered
   * @param batchDrains how long its batch takes; empty = none recurs
   */
  record Tube(
      TubeView view,
      @Nullable WorkSettings work,
      Measured measured,
      Optional<Duration> batchDrains) {
    String id() {
      return view.destination().destination().id();
    }

    double allotted() {
      return work == null ? 0 : work.allotment();
    }

    /** Whether its batch has gone before the next one comes; true when none recurs. */
    boolean isDrainedInTime() {
      return batchDrains
          .map(drains ->
              drains.compareTo(measured.batch().map(Recurrence::every).orElse(drains)) <= 0)
          .orElse(true);
    }
  }

  /** A tube in a pool, with the pool's part of it: 1 when no other pool serves it. */
  record Part(Tube tube, double share) {}

  /**
   * A pool as measured.
   *
   * @param name null = workers that name their tubes themselves
   * @param size workers that the limits file says; 0 = it does not
   * @param present workers that were heard of just now
   * @param running jobs that they hold
   */
  record PoolSupply(
      @Nullable String name,
      int size,
      int present,
      int running,
      List<Part> parts,
      PoolForecast forecast) {
    Commitment commitment() {
      return forecast.commitment();
    }
  }

  /** All pools as measured now. */
  List<PoolSupply> pools() {
    Map<String, Group> groups = groups();
    List<Tube> tubes = measured(all(), groups);
    Map<String, List<Part>> parts = new HashMap<>();
    for (Tube tube : tubes) {
      shares(groups, tube.id())
          .forEach((name, share) ->
              parts.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Part(tube, share)));
    }
    List<PoolSupply> found = new ArrayList<>();
    groups.forEach((name, group) -> {
      List<Part> its = parts.getOrDefault(name, List.of());
      found.add(
          new PoolSupply(
              name.isEmpty() ? null : name,
              group.size,
              group.present,
              group.running,
              its,
              new PoolForecast(
                  group.present,
                  its.stream().mapToDouble(one -> one.share() * one.tube().allotted()).sum(),
                  its.stream()
                      .mapToDouble(one -> one.share() * one.tube().measured().demand())
                      .sum())));
    });
    return found;
  }

  /**
   * Tubes in id order after {@code after} (null = from the start), as measured now; tenants empty =
   * all.
   */
  Page<Tube, String> page(Set<String> tenantIds, @Nullable String after, int limit) {
    Page<TubeView, String> views = reads.tubes(tenantIds, after, limit);
    return new Page<>(measured(views.items(), groups()), views.next());
  }

  /** One tube as measured now; empty = there is none with this id. */
  Optional<Tube> tube(String id) {
    return reads.tube(id).map(view -> measured(List.of(view), groups()).getFirst());
  }

  // ---- who is there

  /** Workers that serve the same tubes. */
  private static final class Group {
    private final int size;
    private final Predicate<String> serves;
    private int present;
    private int running;

    private Group(int size, Predicate<String> serves) {
      this.size = size;
      this.serves = serves;
    }
  }

  /** By name; those without one are "". */
  private Map<String, Group> groups() {
    Map<String, Group> groups = new TreeMap<>();
    for (Map.Entry<String, PoolLimits> pool : limits.pools().entrySet()) {
      groups.put(pool.getKey(), new Group(pool.getValue().size(), pool.getValue()::serves));
    }
    Set<String> named = new LinkedHashSet<>();
    String after = "";
    List<WorkerStore.Worker> found;
    do {
      found = workers.alive(PRESENT, after, WORKERS_AT_ONCE);
      for (WorkerStore.Worker worker : found) {
        after = worker.worker();
        Group group =
            Optional.ofNullable(worker.poolId())
                .map(groups::get)
                .orElseGet(() -> groups.computeIfAbsent("", _ -> new Group(0, named::contains)));
        group.present++;
        group.running += worker.running();
        if (worker.poolId() == null) {
          named.addAll(worker.tubes());
        }
      }
    } while (found.size() == WORKERS_AT_ONCE);
    return groups;
  }

  private static int serving(Map<String, Group> groups, String tubeId) {
    return groups.values().stream()
        .filter(group -> group.serves.test(tubeId))
        .mapToInt(group -> group.present)
        .sum();
  }

  /**
   * A tube of several pools is divided by their workers, or by their sizes while nobody is there.
   */
  private static Map<String, Double> shares(Map<String, Group> groups, String tubeId) {
    Map<String, Group> serving = new LinkedHashMap<>();
    groups.forEach((name, group) -> {
      if (group.serves.test(tubeId)) {
        serving.put(name, group);
      }
    });
    double present = serving.values().stream().mapToInt(group -> group.present).sum();
    double sizes = serving.values().stream().mapToInt(group -> group.size).sum();
    Map<String, Double> shares = new LinkedHashMap<>();
    serving.forEach((name, group) ->
        shares.put(
            name,
            present > 0
                ? group.present / present
                : sizes > 0 ? group.size / sizes : 1.0 / serving.size()));
    return shares;
  }

  // ---- what there is to do

  private List<TubeView> all() {
    List<TubeView> views = new ArrayList<>();
    String after = null;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      Page<TubeView, String> page = reads.tubes(Set.of(), after, Page.MOST_ITEMS);
      views.addAll(page.items());
      after = page.next();
      if (after == null) {
        break;
      }
    }
    return views;
  }

  private List<Tube> measured(List<TubeView> views, Map<String, Group> groups) {
    Arrivals.Past past =
        arrivals.of(
            views.stream().map(view -> view.destination().destination().id()).toList(), LOOKED_AT);
    return views.stream()
        .map(view -> {
          String id = view.destination().destination().id();
          List<Arrivals.Minute> minutes = past.byDestination().getOrDefault(id, List.of());
          return tube(view, past, minutes, serving(groups, id));
        })
        .toList();
  }

  private Tube tube(TubeView view, Arrivals.Past past, List<Arrivals.Minute> minutes, int serving) {
    String id = view.destination().destination().id();
    BudgetSettings settings = limits.of(id).tubeBudget();
    WorkSettings work = settings.work();
    WorkBalance account =
        work == null
            ? null
            : Budget.ask(view.destination().budget(), settings, view.now()).state().work();
    Duration over = over(view.destination().createdAt(), past);
    TubeView.Counts counts = view.counts();
    long runs = counts == null ? 0 : counts.completed() + counts.failed() + counts.lost();
    double expected =
        account != null
            ? account.estimate().seconds()
            : counts != null && runs > 0
                ? counts.workedSeconds() / runs
                : limits.of(id).tube().expected().toMillis() / 1_000.0;
    Measured measured =
        new Measured(
            minutes.stream().mapToLong(Arrivals.Minute::admitted).sum(),
            over,
            expected,
            account != null ? account.estimate().known() : runs >= KNOWN_RUNS,
            Recurrence.of(
                minutes.stream()
                    .map(one -> new Recurrence.Arrived(one.at(), one.admitted()))
                    .toList(),
                over),
            minutes.stream().mapToLong(Arrivals.Minute::admitted).max().orElse(0));
    return new Tube(
        view,
        work,
        measured,
        measured.batch().map(batch -> drains(batch.jobs() * expected, work, serving)));
  }

  private static Duration drains(double seconds, @Nullable WorkSettings work, int serving) {
    Duration byWorkers = PoolForecast.drains(seconds, Math.max(1, serving));
    if (work == null) {
      return byWorkers;
    }
    Duration byShare = PoolForecast.drainsBatch(seconds, work);
    return byShare.compareTo(byWorkers) > 0 ? byShare : byWorkers;
  }

  /** A tube that is younger than what is looked at has been there for less. */
  private static Duration over(Instant createdAt, Arrivals.Past past) {
    Instant from = createdAt.isAfter(past.from()) ? createdAt : past.from();
    Duration over = Duration.between(from, past.to());
    return over.compareTo(LEAST) < 0 ? LEAST : over;
  }
}
