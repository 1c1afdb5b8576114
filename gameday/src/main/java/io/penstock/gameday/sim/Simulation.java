package io.penstock.gameday.sim;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run: a phase with faults, in which nothing may break; a calm one, in which everything must
 * end within a bound; and a few pokes at the quiet system, which must act on them at once.
 */
final class Simulation {
  /**
   * Calm after which everything has ended: a jump of the ledger's clock stops expiry for five
   * minutes, parks and back-off need some more.
   */
  private static final Duration LIVENESS_BOUND = Duration.ofMinutes(15);

  private static final int POKES = 8;
  private static final long POKE_GAP_NANOS = 3_000_000;

  /** A hint is acted on within this; the walk alone would take up to five seconds. */
  private static final Duration PROMPT = Duration.ofMillis(1_200);

  private static final Duration LONG_ENOUGH = Duration.ofMillis(700);

  private final World world;
  private final Acts acts;
  private final Story story;
  private final Plan plan;

  /**
   * How a run ended.
   *
   * @param broken null = every promise held
   * @param hash of the story: equal for equal runs
   */
  record Result(
      Plan plan,
      @Nullable BrokenPromise broken,
      Story story,
      long hash,
      long sends,
      long commits,
      long switches,
      Duration simulated) {}

  static {
    LoggedBugs.listen();
  }

  private Simulation(Plan plan, Planted planted, boolean told, @Nullable Recording recording) {
    this.plan = plan;
    this.story = new Story(told);
    this.world = new World(plan, planted, story, recording);
    this.acts = new Acts(world);
  }

  /** Runs a plan on this thread and on others that it makes, one at a time. */
  static Result run(Plan plan, Planted planted, boolean told) {
    return run(new Simulation(plan, planted, told, null));
  }

  /** A world's calls, and its deliveries as they stood at the end. */
  record Recorded(Recording recording, Map<DeliveryKey, DeliveryRow> rows) {}

  /**
   * Runs a seed's world with every call of the ledger at one instant, and returns the calls; of
   * redrives and jobs nothing is recorded, so there are none. Throws IllegalStateException if a
   * promise broke.
   */
  static Recorded record(long seed) {
    Recording recording = new Recording();
    Simulation simulation =
        new Simulation(
            Plan.of(seed).withoutRedrives().withoutTubes(), Planted.NONE, false, recording);
    BrokenPromise broken = run(simulation).broken();
    if (broken != null) {
      throw new IllegalStateException("seed " + seed + ": " + broken.getMessage());
    }
    return new Recorded(recording, simulation.world.auditor.everything());
  }

  private static Result run(Simulation simulation) {
    Plan plan = simulation.plan;
    BrokenPromise broken;
    try {
      broken = simulation.live();
    } catch (Baton.TaskFailed bug) {
      broken = new BrokenPromise("no thread ends by a bug", "", bug.getMessage() + stack(bug));
    }
    simulation.world.close();
    return new Result(
        plan,
        broken,
        simulation.story,
        simulation.story.hash(),
        simulation.world.auditor.sends,
        simulation.world.auditor.commits,
        simulation.world.baton.switches(),
        Duration.ofNanos(simulation.world.baton.now()));
  }

  private static String stack(Baton.TaskFailed bug) {
    StringBuilder text = new StringBuilder();
    StackTraceElement[] frames = bug.bug.getStackTrace();
    for (int i = 0; i < Math.min(8, frames.length); i++) {
      text.append("\n    at ").append(frames[i]);
    }
    return text.toString();
  }

  private @Nullable BrokenPromise live() {
    world.server.serve(world.memory);
    for (int i = 0; i < plan.nodes(); i++) {
      world.startNode(i);
    }
    world.workers.start();
    acts.schedule(plan.acts());
    Baton baton = world.baton;
    if (baton.run(plan.faults().toNanos(), this::broke)) {
      return world.auditor.found();
    }
    calm();
    long bound = baton.now() + LIVENESS_BOUND.toNanos();
    long settle = baton.now() + Duration.ofSeconds(2).toNanos();
    boolean ended =
        baton.run(bound, () -> broke() || (baton.now() > settle && world.auditor.allEnded()));
    if (!ended) {
      stuck(world.auditor.unfinished());
    }
    if (!broke()) {
      poke();
    }
    world.auditor.finish();
    return world.auditor.found();
  }

  private void stuck(List<DeliveryRow> left) {
    if (left.isEmpty()) {
      world.auditor.liveness(
          "", "a redrive has not ended %s after the last fault".formatted(LIVENESS_BOUND));
      return;
    }
    String id = left.getFirst().key().destinationId();
    world.auditor.liveness(
        id,
        "%d have not ended %s after the last fault, for instance %s; budget %s"
            .formatted(left.size(), LIVENESS_BOUND, left.getFirst(), world.auditor.budget(id)));
  }

  private boolean broke() {
    return world.auditor.found() != null;
  }

  private void calm() {
    world.tell("world", "calms down");
    world.server.calm();
    world.wakeup.lose(0);
    world.healNodes();
    world.endQuotas();
    world.workers.calm();
    world.receivers.values().forEach(receiver -> receiver.become(new Behaviour.Healthy()));
    acts.reopenEverything();
  }

  /** Posts one event after another just when the loops are about to sleep. */
  private void poke() {
    world.tell("world", "pokes");
    Baton baton = world.baton;
    var random = world.chance("pokes");
    if (!plan.tubes().limits().isEmpty()) {
      world.wakeup.onTime();
    }
    for (String id : plan.tubes().limits().keySet()) {
      acts.poke(id);
      baton.run(baton.now() + PROMPT.toNanos(), this::broke);
      passedOver(id);
    }
    for (String id : world.receivers.keySet()) {
      for (int i = 0; i < POKES; i++) {
        acts.poke(id);
        baton.run(baton.now() + random.nextLong(POKE_GAP_NANOS), this::broke);
      }
      baton.run(baton.now() + PROMPT.toNanos(), this::broke);
      passedOver(id);
    }
  }

  private void passedOver(String id) {
    for (Map.Entry<DeliveryKey, DeliveryRow> one : world.auditor.everything().entrySet()) {
      DeliveryRow row = one.getValue();
      if (row.waits() && row.key().destinationId().equals(id) && admits(id)) {
        world.auditor.lostWakeup(id, row + " waits though its budget admits it");
      }
    }
  }

  private BudgetSettings settings(String id) {
    return plan.tubes().has(id) ? world.limitsOf(id).tubeBudget() : world.settingsOf(id);
  }

  /** Whether its budget has admitted it all this time. */
  private boolean admits(String id) {
    BudgetState state = world.auditor.budget(id);
    boolean nodeHasRoom = plan.nodeSlots() > POKES * plan.limits().size();
    return state != null
        && nodeHasRoom
        && world.auditor.budgetQuietFor(id).compareTo(LONG_ENOUGH) > 0
        && world.auditor.isOpen(id)
        && Budget.ask(state, settings(id), world.ledgerNow().minus(LONG_ENOUGH)).decision()
            instanceof Decision.Admit;
  }
}
