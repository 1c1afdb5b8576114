package io.penstock.gameday.sim;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.limits.RetryPolicy;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.tube.TubeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The tubes of a world, drawn from chance of their own: a world without them is as it was before
 * there were any.
 *
 * @param limits by the tube's id
 * @param workers that serve them all
 * @param leasing how nodes lease jobs; null = there are no tubes
 */
record TubePlan(
    Map<String, DestinationLimits> limits, int workers, @Nullable TubeSettings leasing) {
  static final TubePlan NONE = new TubePlan(Map.of(), 0, null);

  /**
   * Seeds that found something before there were tubes, in the engine or of what was planted (ADR
   * 051): they keep the worlds in which they did.
   */
  private static final Set<Long> AS_THEY_WERE =
      Set.of(
          34L,
          80L,
          206L,
          4965L,
          1L,
          2L,
          3L,
          4L,
          5L,
          6L,
          7L,
          604L,
          2087L,
          2501L,
          3868L,
          4196L,
          7028L,
          8966L,
          10029L,
          8L,
          9L,
          11L,
          15L,
          32L,
          68L,
          90L,
          176L,
          1796070816727L);

  /** Of so many worlds one has tubes. */
  private static final int ONE_IN = 3;

  private static final int MOST_TUBES = 3;
  private static final int MOST_WORKERS = 5;

  /** The tubes of a seed; what happens to them is added to the acts. */
  static TubePlan of(long seed, long endNanos, List<Plan.Timed> acts) {
    RandomGenerator random = new Random(seed * 0xA24BAED4963EE407L);
    if (AS_THEY_WERE.contains(seed) || random.nextInt(ONE_IN) != 0) {
      return NONE;
    }
    return new Maker(random, endNanos, acts).plan();
  }

  boolean has(String destinationId) {
    return limits.containsKey(destinationId);
  }

  /** Whether an act is about tubes or their workers. */
  boolean concerns(Act act) {
    return switch (act) {
      case Act.KillWorker _, Act.StopWorker _, Act.ShareWorkers _ -> true;
      case Act.Post post -> has(post.destinationId());
      case Act.Gate(GateScope.OfDestination(String id), var _) -> has(id);
      case Act.Cancel(String id, var _) -> has(id);
      case Act.Redrive(String id, var _, var _) -> has(id);
      default -> false;
    };
  }

  private static final class Maker {
    private final RandomGenerator random;
    private final long end;
    private final List<Plan.Timed> acts;
    private final Map<String, DestinationLimits> limits = new LinkedHashMap<>();

    Maker(RandomGenerator random, long end, List<Plan.Timed> acts) {
      this.random = random;
      this.end = end;
      this.acts = acts;
    }

    TubePlan plan() {
      int count = 1 + random.nextInt(MOST_TUBES);
      for (int i = 0; i < count; i++) {
        limits.put("tube_" + (char) ('a' + i), limits());
      }
      int workers = 1 + random.nextInt(MOST_WORKERS);
      List<String> ids = new ArrayList<>(limits.keySet());
      ids.forEach(this::traffic);
      int disturbances = random.nextInt(8);
      for (int i = 0; i < disturbances; i++) {
        Act act = disturbance(ids.get(random.nextInt(ids.size())), random.nextInt(workers));
        acts.add(new Plan.Timed(random.nextLong(end), act));
      }
      TubeSettings leasing = new TubeSettings(Duration.ofMillis(1_000 + random.nextInt(4_000)));
      return new TubePlan(limits, workers, leasing);
    }

    private DestinationLimits limits() {
      double rate = List.of(5.0, 50.0, 400.0).get(random.nextInt(3));
      int slots = random.nextBoolean() ? 32 : 1 + random.nextInt(4);
      BudgetSettings budget =
          new BudgetSettings(rate, 5 + random.nextInt(100), slots, Duration.ofSeconds(5));
      Double allotment =
          random.nextInt(4) == 0 ? null : List.of(0.1, 0.3, 1.0, 2.5).get(random.nextInt(4));
      return new DestinationLimits(
              budget,
              1 + random.nextInt(5),
              random.nextInt(6) == 0
                  ? Duration.ofSeconds(10 + random.nextInt(60))
                  : Duration.ofDays(3),
              random.nextInt(5) == 0 ? OnUnknown.SHELF : OnUnknown.RETRY)
          .with(RetryPolicy.of(World.BACKOFF))
          .with(share(allotment));
    }

    private TubeLimits share(@Nullable Double allotment) {
      return new TubeLimits(
          allotment,
          random.nextBoolean() ? null : Duration.ofSeconds(1 + random.nextInt(40)),
          Duration.ofMillis(200 + random.nextInt(8_000)),
          random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0,
          random.nextInt(4) == 0,
          null,
          null,
          null);
    }

    private void traffic(String id) {
      long time = 0;
      while (time < end) {
        int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 15 : 4);
        Urgency urgency = random.nextInt(4) == 0 ? Urgency.BATCH : Urgency.INTERACTIVE;
        acts.add(
            new Plan.Timed(time, new Act.Post(id, count, urgency, 10, random.nextInt(10) == 0)));
        time += Duration.ofMillis(50).toNanos() + random.nextLong(6_000_000_000L);
      }
    }

    private Act disturbance(String id, int worker) {
      return switch (random.nextInt(10)) {
        case 0, 1 -> new Act.KillWorker(worker, Duration.ofMillis(100 + random.nextInt(6_000)));
        case 2, 3 -> new Act.StopWorker(worker, Duration.ofMillis(20 + random.nextInt(12_000)));
        case 4 -> new Act.Gate(new GateScope.OfDestination(id), GateAction.PAUSE);
        case 5 -> new Act.Gate(new GateScope.OfDestination(id), GateAction.RESUME);
        case 6 -> new Act.Cancel(id, 1 + random.nextInt(10));
        case 7 -> new Act.Redrive(id, 1 + random.nextInt(10), random.nextInt(3) == 0);
        default -> {
          // Metered stays metered: what nobody counted cannot be audited afterwards.
          TubeLimits before = Objects.requireNonNull(limits.get(id)).tube();
          Double allotment =
              before.allotment() == null ? null : List.of(0.1, 0.5, 3.0).get(random.nextInt(3));
          yield new Act.ShareWorkers(id, share(allotment));
        }
      };
    }
  }
}
