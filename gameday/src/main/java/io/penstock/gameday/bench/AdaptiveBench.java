package io.penstock.gameday.bench;

import io.penstock.budget.BudgetSettings;
import io.penstock.gameday.lab.Seconds;
import io.penstock.gameday.receiver.ArrivalLog;
import io.penstock.gameday.receiver.ArrivalLog.Arrival;
import io.penstock.gameday.report.Report;
import io.penstock.gameday.stand.Stand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How the rate follows limits that nobody told it, over real HTTP. */
@Command(
    name = "adaptive",
    description = {
      "Real receivers with a limit that the server is not told, under a ceiling of 600/s.",
      "fixed, sliding, bucket: 60, 200 and 450 per second with three seeds each, all at once.",
      "slow: 5 per second, and 1 per 10 s with and without Retry-After.",
      "wall: everything is refused for 20 s.  cost: throughput with adaptive on and off."
    },
    mixinStandardHelpOptions = true)
public final class AdaptiveBench implements Callable<Integer> {
  private static final double CEILING = 600;
  private static final int SLOTS = 128;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final BudgetSettings SETTINGS =
      new BudgetSettings(CEILING, (int) CEILING, SLOTS, TIMEOUT);
  private static final int SEEDS = 3;
  private static final int DELAY_MS = 20;

  /** Shares are measured from here on, when the limit has been found. */
  private static final int FROM = 30;

  /** What waits for each destination at the start. */
  private static final int BACKLOG = 3_000;

  /** What comes beside that, as a share of the limit: the backlog never runs dry. */
  private static final double OFFERED = 1.1;

  private static final String WARM = "warm-";
  private static final int WARM_DESTINATIONS = 9;
  private static final int WARM_PER_SECOND = 1_500;

  private static final int WALL_BEGINS = 20;
  private static final int WALL_ENDS = 40;
  private static final int WALL_SECONDS = 65;

  private static final String LIMITS =
      """
      defaults:
        rate_per_second: 600
        burst: 600
        slots: 128
        timeout: 15s
      """;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(
      names = "--kind",
      defaultValue = "all",
      description = "fixed, sliding, bucket, slow, wall, cost, or all (default)")
  private String kind = "";

  @Option(names = "--seconds", defaultValue = "120", description = "How long for each kind.")
  private int seconds;

  /** One destination with a limit of its own. */
  private record Place(String id, String path, double limit) {}

  @Override
  public Integer call() throws Exception {
    Report report =
        new Report("adaptive")
            .setting("kind", kind)
            .setting("seconds", seconds)
            .setting("ceiling_per_second", CEILING)
            .setting("seeds", SEEDS)
            .setting("receiver_delay_ms", DELAY_MS);
    Path folder = options.folder("adaptive");
    List<String> all = List.of("fixed", "sliding", "bucket", "slow", "wall", "cost");
    if (!kind.equals("all") && !all.contains(kind)) {
      throw new IllegalArgumentException("--kind must be one of " + all + " or all, got " + kind);
    }
    for (String one : kind.equals("all") ? all : List.of(kind)) {
      switch (one) {
        case "slow" -> slow(folder.resolve(one), report);
        case "wall" -> wall(folder.resolve(one), report);
        case "cost" -> AdaptiveCost.measure(folder.resolve(one), seconds, options, report);
        default -> unknownLimits(one, folder.resolve(one), report);
      }
    }
    return options.print(report);
  }

  // ---- limits of a second

  private void unknownLimits(String limiter, Path folder, Report report) throws Exception {
    List<Place> places = new ArrayList<>();
    double[] limits = {60, 200, 450};
    for (double limit : limits) {
      places.addAll(places(limiter, limit));
    }
    Map<String, Seconds> seen =
        seconds(run(folder, places, seconds, null, report), places, seconds);
    for (double limit : limits) {
      List<Seconds> its = of(seen, places, limit);
      String name = "%s_%.0f".formatted(limiter, limit);
      double share = 100 * median(its, one -> one.acceptedPerSecond(from(), seconds) / limit);
      double refused = 100 * median(its, one -> one.refusedShare(from(), seconds));
      double found = median(its, one -> one.foundAfter(limit, 0));
      report
          .figure(name + ".share_percent", share)
          .figure(name + ".refused_percent", refused)
          .figure(name + ".found_s", found)
          .atLeast(name + " share", share, limit < 100 ? 92 : 95, "%")
          .atMost(name + " 429s", refused, 1, "%")
          .atMost(name + " found", found, 6, "s");
    }
  }

  private int from() {
    return Math.min(FROM, seconds / 2);
  }

  private static List<Place> places(String limiter, double limit) {
    List<Place> places = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      String id = "%s-%.0f-%d".formatted(limiter, limit, seed);
      places.add(
          new Place(id, "/limit/%s/%.0f/%d/%s".formatted(limiter, limit, DELAY_MS, id), limit));
    }
    return places;
  }

  private static List<Seconds> of(Map<String, Seconds> seen, List<Place> places, double limit) {
    return places.stream()
        .filter(place -> place.limit() == limit)
        .map(place -> seen.getOrDefault(place.path(), new Seconds(new int[0], new int[0])))
        .toList();
  }

  // ---- 5/s, and 1 per 10 s

  private void slow(Path folder, Report report) throws Exception {
    List<Place> places = new ArrayList<>(places("fixed", 5));
    places.addAll(places("tens", 1));
    places.addAll(places("tens_hint", 1));
    Map<String, Seconds> seen =
        seconds(run(folder, places, seconds, null, report), places, seconds);
    List<Seconds> five = of(seen, places.subList(0, SEEDS), 5);
    double share = 100 * median(five, one -> one.acceptedPerSecond(from(), seconds) / 5);
    double refused = 100 * median(five, one -> one.refusedShare(from(), seconds));
    List<Seconds> tens = of(seen, places.subList(SEEDS, 2 * SEEDS), 1);
    List<Seconds> hinted = of(seen, places.subList(2 * SEEDS, 3 * SEEDS), 1);
    double sends =
        median(
            hinted,
            one ->
                1
                    + (double) one.refused(from(), seconds)
                        / Math.max(1, one.accepted(from(), seconds)));
    double perSecond =
        median(tens, one -> (double) one.refused(from(), seconds) / (seconds - from()));
    double late = median(tens, one -> one.accepted(Math.max(0, seconds - 30), seconds));
    report
        .figure("fixed_5.share_percent", share)
        .figure("fixed_5.refused_percent", refused)
        .figure("one_per_10s_hinted.sends_per_accepted", sends)
        .figure("one_per_10s.refused_per_second", perSecond)
        .figure("one_per_10s.accepted_in_last_30_s", late)
        .atLeast("5/s share", share, 80, "%")
        .atMost("5/s 429s", refused, 3, "%")
        .atMost("1 per 10 s with Retry-After, sends per accepted", sends, 2, "sends")
        .atMost("1 per 10 s without, 429s", perSecond, 1, "per second")
        .atLeast("1 per 10 s without, accepted in the last 30 s", late, 1, "deliveries");
  }

  // ---- a wall

  private void wall(Path folder, Report report) throws Exception {
    List<Place> places = places("wall-%d-%d".formatted(WALL_BEGINS, WALL_ENDS), CEILING);
    double[] halved = new double[SEEDS];
    double[] parked = new double[SEEDS];
    double[] back = new double[SEEDS];
    double[] disorder = new double[SEEDS];
    List<BudgetWatch> watches = new ArrayList<>();
    List<Arrival> arrivals = run(folder, places, WALL_SECONDS, watches, report);
    Map<String, Seconds> seen = seconds(arrivals, places, WALL_SECONDS);
    for (int i = 0; i < SEEDS; i++) {
      Place place = places.get(i);
      Seconds its = seen.getOrDefault(place.path(), new Seconds(new int[0], new int[0]));
      List<Arrival> came = arrivals.stream().filter(a -> a.path().equals(place.path())).toList();
      long refusedAt = first(came, false).firstByteNanos();
      List<BudgetWatch.Seen> budget = watches.getFirst().of(place.id());
      double before = its.acceptedPerSecond(WALL_BEGINS / 2, WALL_BEGINS);
      halved[i] = after(budget, refusedAt, one -> one.rate() <= CEILING / 2);
      parked[i] = after(budget, refusedAt, BudgetWatch.Seen::parked);
      back[i] = its.reaches(0.95 * before, WALL_ENDS);
      disorder[i] = disorder(came);
      report.figure(place.id() + ".accepted_before_per_second", before);
    }
    for (double[] each : List.of(halved, parked, back, disorder)) {
      Arrays.sort(each);
    }
    int worst = SEEDS - 1;
    report
        .figure("wall.halved_s", halved[worst])
        .figure("wall.parked_s", parked[worst])
        .figure("wall.back_at_95_percent_s", back[worst])
        .figure("wall.sent_before_an_older_one_s", disorder[worst])
        .atMost("rate halved after the first 429", halved[worst], 1, "s")
        .atMost("parked after the first 429", parked[worst], 8, "s")
        .atMost("back at 95 % of what was accepted before", back[worst], 10, "s")
        .atMost("backlog oldest first: sent before one so much older", disorder[worst], 1, "s");
  }

  private static Arrival first(List<Arrival> came, boolean accepted) throws IOException {
    return came.stream()
        .filter(one -> one.accepted() == accepted)
        .findFirst()
        .orElseThrow(
            () -> new IOException("no request was " + (accepted ? "accepted" : "refused")));
  }

  private static double after(
      List<BudgetWatch.Seen> seen,
      long nanos,
      java.util.function.Predicate<BudgetWatch.Seen> wanted) {
    return seen.stream()
        .filter(one -> one.nanos() >= nanos && wanted.test(one))
        .findFirst()
        .map(one -> (one.nanos() - nanos) / 1e9)
        .orElse(Double.NaN);
  }

  /** By how much, in the time of their ids, something accepted was older than one before it. */
  private static double disorder(List<Arrival> came) {
    long newest = 0;
    long worst = 0;
    for (Arrival one : came) {
      if (one.accepted()) {
        long millis = Long.parseLong(one.webhookId().replace("-", "").substring(0, 12), 16);
        worst = Math.max(worst, newest - millis);
        newest = Math.max(newest, millis);
      }
    }
    return worst / 1e3;
  }

  // ---- the run

  /** Sends to all places at once and returns what came; watches the budgets if a list is given. */
  private List<Arrival> run(
      Path folder,
      List<Place> places,
      int howLong,
      @org.jspecify.annotations.Nullable List<BudgetWatch> watches,
      Report report)
      throws Exception {
    Path arrivals = folder.resolve("arrivals");
    try (Stand stand = Stand.withOwnPostgres(folder, LIMITS)) {
      Stand.Receiving receiver = stand.startReceiver(null, arrivals);
      stand.set("PENSTOCK_NODE_SLOTS", "2000");
      stand.startServer();
      warmUp(stand, receiver, report);
      Map<String, Double> groups = new LinkedHashMap<>();
      for (Place place : places) {
        stand.makeDestination(place.id(), receiver.url() + place.path());
        groups.put(place.id().replaceFirst("[0-9]+$", ""), place.limit());
      }
      for (String group : groups.keySet()) {
        stand.gate("pause", group, SEEDS);
        load(stand, group, SEEDS * BACKLOG, 0).result();
      }
      options.progress("sending to " + places.size() + " receivers for " + howLong + " s");
      List<Stand.Loading> loads = new ArrayList<>();
      for (Map.Entry<String, Double> group : groups.entrySet()) {
        double perSecond = SEEDS * OFFERED * group.getValue();
        stand.gate("resume", group.getKey(), SEEDS);
        loads.add(load(stand, group.getKey(), (long) (perSecond * (howLong + 10)), perSecond));
      }
      try (BudgetWatch watch = new BudgetWatch(stand.ledger(), SETTINGS)) {
        if (watches == null) {
          Stand.passTime(Duration.ofSeconds(howLong + 2L));
        } else {
          watches.add(watch);
          watch.watch(Duration.ofSeconds(howLong + 2L));
        }
      }
      for (Stand.Loading load : loads) {
        load.stop();
      }
      stand.server().killHard();
      receiver.child().close();
    }
    return ArrivalLog.read(arrivals);
  }

  /** The limits are looked for by a server that is warm, as those in the field are. */
  private void warmUp(Stand stand, Stand.Receiving receiver, Report report) throws Exception {
    stand.makeDestinations(WARM, WARM_DESTINATIONS, receiver.url() + "/");
    Stand.Loading load =
        stand.startLoad(
            List.of(
                "--receiver=" + receiver.url(),
                "--prefix=" + WARM,
                "--destinations=" + WARM_DESTINATIONS,
                "--bytes=256",
                "--batch=60",
                "--rate=" + WARM_PER_SECOND,
                "--events=" + (long) WARM_PER_SECOND * WarmUp.MOST_SECONDS,
                "--log=" + stand.folder().resolve("warm")));
    WarmUp.under(load, stand, options, report);
    ThroughputBench.awaitEmpty(stand.ledger());
  }

  private static Stand.Loading load(Stand stand, String prefix, long events, double perSecond)
      throws Exception {
    boolean few = perSecond > 0 && perSecond < 100;
    return stand.startLoad(
        List.of(
            "--prefix=" + prefix,
            "--destinations=" + SEEDS,
            "--bytes=256",
            "--batch=" + (few ? 1 : 60),
            "--connections=1",
            "--rate=" + perSecond,
            "--outstanding=" + Long.MAX_VALUE / 2,
            "--events=" + Math.max(1, events),
            "--log=" + stand.folder().resolve("posts-" + prefix + perSecond)));
  }

  /** By path, second by second from its first request on. */
  private static Map<String, Seconds> seconds(
      List<Arrival> arrivals, List<Place> places, int howLong) {
    Map<String, Long> begins = new LinkedHashMap<>();
    Map<String, int[][]> counts = new LinkedHashMap<>();
    places.forEach(place -> counts.put(place.path(), new int[2][howLong]));
    for (Arrival one : arrivals) {
      long begin = begins.computeIfAbsent(one.path(), _ -> one.firstByteNanos());
      int second = (int) ((one.firstByteNanos() - begin) / 1_000_000_000L);
      int[][] its = counts.get(one.path());
      if (its != null && second < howLong) {
        its[one.accepted() ? 0 : 1][second]++;
      }
    }
    Map<String, Seconds> seconds = new LinkedHashMap<>();
    counts.forEach((path, its) -> seconds.put(path, new Seconds(its[0], its[1])));
    return seconds;
  }

  private static double median(List<Seconds> seeds, ToDoubleFunction<Seconds> figure) {
    double[] sorted = seeds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
