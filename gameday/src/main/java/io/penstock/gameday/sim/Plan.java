package io.penstock.gameday.sim;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.engine.limits.RetryPolicy;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.Redrives;
import io.penstock.gameday.sim.Behaviour.Lie;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What a seed makes of a world before it begins: its size, its limits, and its acts in the order of
 * their times.
 */
record Plan(
    long seed,
    int shards,
    int nodes,
    int nodeSlots,
    Map<String, DestinationLimits> limits,
    Map<String, String> budgets,
    List<Timed> acts,
    Duration faults,
    TubePlan tubes) {
  /** Its day begins half a minute into every world. */
  private static final ZoneId ZONE = ZoneOffset.of("+11:59:30");

  private static final List<Lie> LIES =
      List.of(Lie.NOTHING, Lie.HONEST, Lie.TOO_SOON, Lie.FAR_TOO_LATE);

  static final List<String> TENANTS = List.of("acme", "umbrella");

  /** The budget of a destination: its own, unless it shares another's. */
  String budgetOf(String destinationId) {
    return budgets.getOrDefault(destinationId, destinationId);
  }

  /** The destinations that spend from a budget. */
  List<String> sharing(String budgetId) {
    return Stream.concat(limits.keySet().stream(), tubes.limits().keySet().stream())
        .filter(id -> budgetOf(id).equals(budgetId))
        .toList();
  }

  /** An act and when it happens, in simulated nanoseconds. */
  record Timed(long at, Act act) {}

  static String tenantOf(String destinationId) {
    return TENANTS.get(destinationId.hashCode() & 1);
  }

  /** Whether operators redrive; only then do nodes look after redrives. */
  boolean redrives() {
    return acts.stream().anyMatch(timed -> timed.act() instanceof Act.StartRedrive);
  }

  /** The same without redrives. */
  Plan withoutRedrives() {
    return with(
        acts.stream()
            .filter(timed ->
                !(timed.act() instanceof Act.StartRedrive)
                    && !(timed.act() instanceof Act.SteerRedrive))
            .toList());
  }

  /** The same without tubes. */
  Plan withoutTubes() {
    List<Timed> others = acts.stream().filter(timed -> !tubes.concerns(timed.act())).toList();
    return new Plan(seed, shards, nodes, nodeSlots, limits, budgets, others, faults, TubePlan.NONE);
  }

  /** The same with fewer acts. */
  Plan with(List<Timed> fewer) {
    return new Plan(seed, shards, nodes, nodeSlots, limits, budgets, fewer, faults, tubes);
  }

  /** The same with fewer nodes. */
  Plan withNodes(int fewer) {
    return new Plan(seed, shards, fewer, nodeSlots, limits, budgets, acts, faults, tubes);
  }

  /** The world of a seed. */
  static Plan of(long seed) {
    // What came to the world later is drawn apart, so that seeds keep what they always brought.
    RandomGenerator later = new Random(seed * 0xD1B54A32D192ED03L);
    RandomGenerator budgetChance = new Random(~seed * 0x9E3779B97F4A7C15L);
    return new Maker(new Random(seed * 0x9E3779B97F4A7C15L), later, budgetChance).plan(seed);
  }

  private static final class Maker {
    /** Of so many worlds one has what was added later. */
    private static final int LATER_ONE_IN = 3;

    private final RandomGenerator random;
    private final RandomGenerator later;

    /** For quotas and shared budgets. */
    private final RandomGenerator budgetChance;

    private final List<String> destinations = new ArrayList<>();
    private final List<Timed> acts = new ArrayList<>();
    private long end;
    private int nodes;

    Maker(RandomGenerator random, RandomGenerator later, RandomGenerator budgetChance) {
      this.random = random;
      this.later = later;
      this.budgetChance = budgetChance;
    }

    Plan plan(long seed) {
      nodes = 1 + random.nextInt(random.nextInt(3) == 0 ? 5 : 3);
      end = seconds(4 + random.nextInt(26)).toNanos();
      int count = 1 + random.nextInt(4);
      Map<String, DestinationLimits> limits = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        String id = "dst_" + (char) ('a' + i);
        destinations.add(id);
        limits.put(id, limits());
      }
      destinations.forEach(this::traffic);
      int disturbances = random.nextInt(12);
      for (int i = 0; i < disturbances; i++) {
        at(random.nextLong(end), disturbance());
      }
      if (later.nextInt(LATER_ONE_IN) == 0) {
        int more = 1 + later.nextInt(4);
        for (int i = 0; i < more; i++) {
          at(later.nextLong(end), laterDisturbance());
        }
      }
      redrives(new Random(~seed * 0x9E3779B97F4A7C15L));
      TubePlan tubes = TubePlan.of(seed, end, acts);
      acts.sort(Comparator.comparingLong(Timed::at));
      int nodeSlots = random.nextInt(4) == 0 ? 1 + random.nextInt(6) : 200;
      int shards = random.nextInt(4) == 0 ? 2 : 1;
      Map<String, String> budgets = new LinkedHashMap<>();
      if (shards == 1 && count > 1 && budgetChance.nextInt(4) == 0) {
        budgets.put(destinations.get(1), destinations.getFirst());
        limits.put(
            destinations.get(1), Objects.requireNonNull(limits.get(destinations.getFirst())));
      }
      limits.replaceAll(
          (id, its) -> budgets.isEmpty() && budgetChance.nextInt(3) == 0 ? withQuota(its) : its);
      return new Plan(
          seed,
          shards,
          nodes,
          nodeSlots,
          limits,
          budgets,
          List.copyOf(acts),
          Duration.ofNanos(end),
          tubes);
    }

    private DestinationLimits withQuota(DestinationLimits its) {
      double reserve = budgetChance.nextBoolean() ? 0 : 0.3;
      QuotaSettings quota =
          new QuotaSettings(QuotaSettings.Per.DAY, ZONE, 5 + budgetChance.nextInt(60), reserve);
      return its.with(its.budget().with(quota));
    }

    private void at(long nanos, Act act) {
      acts.add(new Timed(nanos, act));
    }

    private DestinationLimits limits() {
      return new DestinationLimits(
              settings(),
              1 + random.nextInt(5),
              random.nextInt(6) == 0 ? seconds(10 + random.nextInt(60)) : Duration.ofDays(3),
              random.nextInt(5) == 0 ? OnUnknown.SHELF : OnUnknown.RETRY)
          .with(RetryPolicy.of(World.BACKOFF));
    }

    private BudgetSettings settings() {
      double rate = List.of(2.0, 5.0, 20.0, 50.0, 200.0, 400.0).get(random.nextInt(6));
      int burst = 1 + random.nextInt(random.nextBoolean() ? 5 : 100);
      int slots = 1 + random.nextInt(random.nextBoolean() ? 3 : 32);
      return new BudgetSettings(rate, burst, slots, seconds(1 + random.nextInt(5)));
    }

    private void traffic(String id) {
      long time = 0;
      while (time < end) {
        int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 40 : 4);
        int bytes = random.nextInt(12) == 0 ? 9_000 : 10;
        Urgency urgency = random.nextInt(4) == 0 ? Urgency.BATCH : Urgency.INTERACTIVE;
        at(time, new Act.Post(id, count, urgency, bytes, random.nextInt(10) == 0));
        time += seconds(1).toNanos() / 20 + random.nextLong(seconds(6).toNanos());
      }
      int moods = random.nextInt(4);
      for (int i = 0; i < moods; i++) {
        at(random.nextLong(end), new Act.Receive(id, behaviour()));
      }
    }

    private Behaviour behaviour() {
      Lie lie = LIES.get(random.nextInt(LIES.size()));
      return switch (random.nextInt(12)) {
        case 0 -> new Behaviour.Healthy();
        case 1 -> new Behaviour.FixedWindow(1 + random.nextInt(20), seconds(1), lie);
        case 2 -> new Behaviour.SlidingWindow(1 + random.nextInt(20), seconds(2), lie);
        case 3, 4 -> new Behaviour.Bucket(1 + random.nextInt(20), 1 + random.nextInt(9), lie);
        case 5 -> new Behaviour.Waf(0.3);
        case 6 -> new Behaviour.Hangs();
        case 7 -> new Behaviour.Resets();
        case 8 -> new Behaviour.Refuses();
        case 9 -> new Behaviour.Drips(seconds(1 + random.nextInt(8)));
        default ->
            new Behaviour.BrownOut(
                0.2 + random.nextDouble() * 0.8,
                List.of(500, 503, 404, 401, 410, 429).get(random.nextInt(6)));
      };
    }

    /**
     * What operators do with redrives, from chance of its own: a world without them is as it was
     * before there were any.
     */
    private void redrives(RandomGenerator own) {
      if (own.nextInt(2) == 0) {
        return;
      }
      int count = 1 + own.nextInt(4);
      for (int i = 0; i < count; i++) {
        String id = destinations.get(own.nextInt(destinations.size()));
        long start = end / 4 + own.nextLong(end - end / 4);
        at(start, new Act.StartRedrive(id, redriveSettings(own)));
        int steers = own.nextInt(3);
        for (int j = 0; j < steers; j++) {
          Redrives.Command command =
              List.of(
                      Redrives.Command.PAUSE,
                      Redrives.Command.PAUSE,
                      Redrives.Command.RESUME,
                      Redrives.Command.CANCEL)
                  .get(own.nextInt(4));
          at(start + own.nextLong(Math.max(1, end - start)), new Act.SteerRedrive(id, command));
        }
      }
    }

    private static RedriveSettings redriveSettings(RandomGenerator own) {
      return new RedriveSettings(
          List.of(0, 30, 60, 600, 6_000).get(own.nextInt(5)),
          1 + own.nextInt(own.nextBoolean() ? 5 : 2_000),
          own.nextInt(2) * own.nextInt(5),
          own.nextInt(101),
          50 + own.nextInt(51),
          1 + own.nextInt(20));
    }

    private Act disturbance() {
      String id = destinations.get(random.nextInt(destinations.size()));
      int node = random.nextInt(nodes);
      return switch (random.nextInt(19)) {
        case 0, 1 -> new Act.Stop(node, millis(20 + random.nextInt(9_000)));
        case 2 -> new Act.Stop(node, seconds(60 + random.nextInt(200)));
        case 3, 4 -> new Act.Kill(node, millis(100 + random.nextInt(9_000)));
        case 5 -> new Act.Drain(node, millis(100 + random.nextInt(3_000)));
        case 6 -> new Act.NodeJump(node, millis(100 + random.nextInt(60_000)));
        case 7 -> new Act.LedgerStep(step());
        case 8 ->
            new Act.LedgerSlow(seconds(1 + random.nextInt(5)), millis(200 + random.nextInt(3_000)));
        case 9, 10 ->
            new Act.LedgerFails(
                seconds(1 + random.nextInt(5)),
                random.nextDouble() * 0.3,
                random.nextDouble() * 0.3);
        case 11 -> new Act.HintsLost(random.nextDouble());
        case 12 -> new Act.Gate(scope(id), gateAction());
        case 13, 17 -> new Act.PauseWhenClaimed(id, new GateScope.OfDestination(id));
        case 18 -> new Act.StopWhenSent(id, millis(random.nextInt(6_000)));
        case 14 -> new Act.Limits(id, settings());
        case 15 -> new Act.Cancel(id, 1 + random.nextInt(10));
        default -> new Act.Redrive(id, 1 + random.nextInt(10), random.nextInt(3) == 0);
      };
    }

    private Act laterDisturbance() {
      String id = destinations.get(later.nextInt(destinations.size()));
      GateScope tenant = new GateScope.OfTenant(tenantOf(id));
      return switch (later.nextInt(10)) {
        case 0 -> new Act.Delete(id, false);
        case 1, 2 -> new Act.Delete(id, true);
        case 3 -> new Act.PauseWhenClaimed(id, tenant);
        case 4 -> new Act.PauseWhenClaimed(id, new GateScope.Everything());
        case 5 -> new Act.Gate(tenant, GateAction.PAUSE);
        case 6 -> new Act.Gate(new GateScope.Everything(), GateAction.PAUSE);
        case 7 -> new Act.Gate(tenant, GateAction.HOLD);
        case 8 -> new Act.Gate(new GateScope.OfDestination(id), GateAction.DISABLE);
        default ->
            new Act.WallStep(later.nextInt(nodes), millis(later.nextInt(7_200_000) - 3_600_000));
      };
    }

    private Duration step() {
      return switch (random.nextInt(4)) {
        case 0 -> millis(-random.nextInt(2_000));
        case 1 -> seconds(-random.nextInt(60));
        case 2 -> millis(random.nextInt(5_000));
        default -> seconds(random.nextInt(3_600));
      };
    }

    private GateScope scope(String id) {
      return switch (random.nextInt(4)) {
        case 0 -> new GateScope.Everything();
        case 1 -> new GateScope.OfTenant(tenantOf(id));
        default -> new GateScope.OfDestination(id);
      };
    }

    private GateAction gateAction() {
      return List.of(GateAction.PAUSE, GateAction.PAUSE, GateAction.RESUME, GateAction.RELEASE)
          .get(random.nextInt(4));
    }

    private static Duration seconds(long count) {
      return Duration.ofSeconds(count);
    }

    private static Duration millis(long count) {
      return Duration.ofMillis(count);
    }
  }
}
