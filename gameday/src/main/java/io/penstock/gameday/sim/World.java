package io.penstock.gameday.sim;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.quota.QuotaSettings;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.host.Loop;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.limits.Backoff;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.node.Node;
import io.penstock.engine.node.NodeSettings;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.redrive.RedriveListener;
import io.penstock.engine.redrive.RedriveRunner;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.memory.LedgerFault;
import io.penstock.testkit.memory.MemoryLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One simulated installation: ledger, nodes, receivers, and everything that happens to them. */
final class World {
  static final Audit OPERATOR = new Audit("operator", "simulated");
  static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(10));

  /** Where simulated time begins. */
  private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

  private static final double MOST_DRIFT = 200e-6;

  /** How wrong the wall clock of a node is at its start. */
  private static final long MOST_WALL_OFF_MILLIS = 30_000;

  private static final Duration GRACE = Duration.ofSeconds(10);

  final Baton baton;
  final Auditor auditor;
  final Story story;
  final Plan plan;
  final MemoryLedger memory;
  final Ledger ledger;
  final Redrives redrives;
  final SimLedgerServer server;
  final SimWakeup wakeup;
  final SimWorkers workers;
  final Map<String, Behaviour.Receiver> receivers = new LinkedHashMap<>();
  private final Map<String, DestinationLimits> limits = new LinkedHashMap<>();
  private final List<Member> members = new ArrayList<>();
  private final List<Baton.Host> processes = new ArrayList<>();
  private final Planted planted;
  private Duration ledgerOff = Duration.ZERO;
  private int started;

  /** A place in the installation where a node runs, dies, and another takes over. */
  static final class Member {
    Baton.@Nullable Host process;
    @Nullable SimHost host;
    @Nullable Node node;
    @Nullable Loop redriving;
  }

  /** A world; with a recording, every call of its ledger takes effect at one instant. */
  World(Plan plan, Planted planted, Story story, @Nullable Recording recording) {
    this.plan = plan;
    this.planted = planted;
    this.story = story;
    baton = new Baton(chance("baton"));
    auditor = new Auditor(baton, new MoveCheck(BACKOFF), story, limits, plan);
    server = new SimLedgerServer(baton, chance("server"), auditor, recording != null);
    wakeup = new SimWakeup(baton, chance("wakeup"));
    memory = new MemoryLedger(plan.shards(), this::ledgerNow, server, auditor, faults());
    ledger =
        recording == null
            ? memory
            : recording.of(memory, this::ledgerNow, server::brokeAfterCommit);
    redrives = memory.redrives();
    Plan.TENANTS.forEach(tenant -> ledger.createTenant(tenant, tenant, OPERATOR));
    plan.limits().forEach(this::destination);
    plan.tubes().limits().forEach(this::tube);
    workers = new SimWorkers(this);
    for (int i = 0; i < plan.nodes(); i++) {
      members.add(new Member());
    }
  }

  private Set<LedgerFault> faults() {
    return switch (planted) {
      case CLAIM_WITHOUT_RECHECK -> Set.of(LedgerFault.CLAIM_WITHOUT_RECHECK);
      case SETTLE_WITHOUT_LEASE_NO -> Set.of(LedgerFault.SETTLE_WITHOUT_LEASE_NO);
      case SLOT_RELEASED_TWICE -> Set.of(LedgerFault.FEED_STALE);
      case EXPIRES_BEHIND_GATE -> Set.of(LedgerFault.EXPIRE_BEHIND_GATE);
      case NONE,
          CUT_PER_ANSWER,
          NO_HAND_BACK_ON_PAUSE,
          THROTTLE_COUNTS_AS_ATTEMPT,
          DUE_BY_NODE_CLOCK,
          ONLY_OWN_GATE,
          DELETED_IS_SERVED,
          RENEWAL_IS_FREE,
          LATE_FINISH_IS_TAKEN,
          LOST_LEASE_IS_FREE,
          NO_SECOND_LOOK ->
          Set.of();
    };
  }

  /** Chance of its own for everything, so that one thing less changes little else. */
  RandomGenerator chance(String of) {
    return new Random((plan.seed() * 31 + of.hashCode()) * 0x9E3779B97F4A7C15L);
  }

  private void destination(String id, DestinationLimits its) {
    receivers.put(id, new Behaviour.Receiver(chance("receiver " + id)));
    create(id, its, Destination.Mode.PUSH, "http://receiver/" + id);
  }

  private void tube(String id, DestinationLimits its) {
    create(id, its, Destination.Mode.PULL, "");
  }

  private void create(String id, DestinationLimits its, Destination.Mode mode, String url) {
    auditor.limitsAre(id, its);
    Destination wanted =
        new Destination(
            id, 0, Plan.tenantOf(id), mode, url, List.of(), List.of(), plan.budgetOf(id), 1);
    BudgetRule initial =
        (budgetId, state, now) ->
            BudgetState.initial(its.budget(), plan.seed() ^ budgetId.hashCode(), now);
    if (ledger.createDestination(wanted, initial, OPERATOR).isEmpty()) {
      throw new IllegalStateException("destination " + id + " is taken");
    }
  }

  // ---- nodes

  List<Member> members() {
    return members;
  }

  /** Some node that runs, beginning the search at this one; null when none does. */
  @Nullable Node someNode(int from) {
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get((from + i) % members.size());
      Baton.Host process = member.process;
      if (process != null && member.node != null && !baton.isStopped(process)) {
        return member.node;
      }
    }
    return null;
  }

  void startNode(int index) {
    Member member = members.get(index % members.size());
    if (member.process != null) {
      return;
    }
    Baton.Host process = new Baton.Host("node-" + index + "." + ++started);
    processes.add(process);
    RandomGenerator random = chance(process.name);
    double drift = 1 + (random.nextDouble() * 2 - 1) * MOST_DRIFT;
    SimHost host = new SimHost(baton, process, random, drift, planted == Planted.NO_SECOND_LOOK);
    RandomGenerator wall = chance(process.name + " wall");
    host.stepWall(
        Duration.ofMillis(wall.nextLong(2 * MOST_WALL_OFF_MILLIS) - MOST_WALL_OFF_MILLIS));
    Node node =
        new Node(
            new FaultyLedger(ledger, planted, process.name, host::wallOff, baton, auditor),
            new SimTransport(baton, process, receivers, auditor, random),
            wakeup.of(process),
            id -> Objects.requireNonNull(limits.get(id)),
            host,
            new NodeSettings(process.name, plan.nodeSlots(), 1 << 20),
            NodeListener.NONE,
            plan.tubes().leasing());
    RedriveRunner runner =
        new RedriveRunner(
            redrives, process.name, node::due, RedriveListener.NONE, NodeListener.NONE);
    member.redriving = plan.redrives() ? new Loop("redrive", host, runner::runOnce) : null;
    member.process = process;
    member.host = host;
    baton.start(process, process.name + "/main", () -> main(member, node));
    tell(process.name, "starts");
  }

  private void main(Member member, Node node) {
    while (true) {
      try {
        node.start();
        member.node = node;
        Loop redriving = member.redriving;
        if (redriving != null) {
          redriving.start();
        }
        return;
      } catch (LedgerException failure) {
        baton.sleep(Duration.ofSeconds(1).toNanos());
      }
    }
  }

  void killNode(int index) {
    Member member = members.get(index % members.size());
    Baton.Host process = member.process;
    if (process != null) {
      tell(process.name, "is killed");
      baton.kill(process);
      forget(member);
    }
  }

  void stopNode(int index, Duration during) {
    Baton.Host process = members.get(index % members.size()).process;
    if (process != null) {
      tell(process.name, "is stopped for " + during);
      baton.stop(process, during.toNanos());
    }
  }

  /** The node of this name, if it still runs. */
  void stopNode(String name, Duration during) {
    for (int i = 0; i < members.size(); i++) {
      Baton.Host process = members.get(i).process;
      if (process != null && process.name.equals(name)) {
        stopNode(i, during);
      }
    }
  }

  void drainNode(int index) {
    Member member = members.get(index % members.size());
    Baton.Host process = member.process;
    Node node = member.node;
    if (process == null || node == null) {
      return;
    }
    tell(process.name, "is told to end");
    if (member.redriving != null) {
      member.redriving.stop();
    }
    forget(member);
    baton.start(
        process,
        process.name + "/stop",
        () -> {
          int left = node.stop(GRACE);
          tell(process.name, "ends with " + left + " in flight");
          if (left == 0) {
            auditor.stoppedClean(process.name);
          }
          baton.at(baton.now(), null, () -> baton.kill(process));
        });
  }

  private static void forget(Member member) {
    member.process = null;
    member.host = null;
    member.node = null;
    member.redriving = null;
  }

  /** What is stopped goes on, what is down comes back. */
  void healNodes() {
    processes.forEach(baton::goOn);
    for (int i = 0; i < members.size(); i++) {
      startNode(i);
    }
  }

  void jumpNode(int index, Duration ahead) {
    SimHost host = members.get(index % members.size()).host;
    if (host != null) {
      tell("node-" + index, "its clock jumps " + ahead);
      host.jump(ahead);
    }
  }

  void stepWallClock(int index, Duration by) {
    SimHost host = members.get(index % members.size()).host;
    if (host != null) {
      tell("node-" + index, "its wall clock steps " + by);
      host.stepWall(by);
    }
  }

  // ---- the rest of the world

  void stepLedgerClock(Duration by) {
    tell("ledger", "its clock steps " + by);
    ledgerOff = ledgerOff.plus(by);
  }

  Instant ledgerNow() {
    return START.plusNanos(baton.now()).plus(ledgerOff);
  }

  void setLimits(String id, BudgetSettings settings) {
    QuotaSettings quota = settingsOf(id).quota();
    limitBudget(id, quota == null ? settings : settings.with(quota));
  }

  /** All that share its budget get the same. */
  private void limitBudget(String id, BudgetSettings settings) {
    tell("operator", id + " gets " + settings);
    for (String one : plan.sharing(plan.budgetOf(id))) {
      auditor.limitsAre(one, limitsOf(one).with(settings));
    }
  }

  /** Nothing has to wait for another day. */
  void endQuotas() {
    for (String id : List.copyOf(limits.keySet())) {
      BudgetSettings its = settingsOf(id);
      if (its.quota() != null) {
        limitBudget(
            id, new BudgetSettings(its.ratePerSecond(), its.burst(), its.slots(), its.timeout()));
      }
    }
  }

  void shareWorkers(String id, TubeLimits share) {
    tell("operator", id + " gets " + share);
    auditor.limitsAre(id, limitsOf(id).with(share));
  }

  DestinationLimits limitsOf(String id) {
    return Objects.requireNonNull(limits.get(id));
  }

  BudgetSettings settingsOf(String id) {
    return limitsOf(id).budget();
  }

  BudgetState reopened(String budgetId, @Nullable BudgetState state, Instant now) {
    return Budget.reopen(Objects.requireNonNull(state), settingsOf(budgetId), now);
  }

  void tell(String who, String what) {
    story.tell(baton.now(), who, "", () -> what);
  }

  void close() {
    baton.close(processes);
  }

  Baton.Host process(String name) {
    Baton.Host process = new Baton.Host(name);
    processes.add(process);
    return process;
  }
}
