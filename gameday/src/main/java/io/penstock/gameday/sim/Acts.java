package io.penstock.gameday.sim;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.JobFeedback;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.node.Node;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes acts happen in a world: producers and operators are threads of a process of their own. */
final class Acts {
  /** Tries of a producer or an operator whose call failed. */
  private static final int TRIES = 20;

  private static final long NO_GENERATION = -1;

  private final World world;
  private final Baton baton;
  private final Baton.Host people;
  private final RandomGenerator random;
  private long events;
  private int redrives;

  Acts(World world) {
    this.world = world;
    this.baton = world.baton;
    this.people = world.process("people");
    this.random = world.chance("people");
  }

  /** One after the other, so that an act less leaves the chance of what comes before it alone. */
  void schedule(List<Plan.Timed> acts) {
    if (!acts.isEmpty()) {
      Plan.Timed first = acts.getFirst();
      baton.at(
          first.at(),
          null,
          () -> {
            happen(first.act());
            schedule(acts.subList(1, acts.size()));
          });
    }
  }

  private void happen(Act act) {
    switch (act) {
      case Act.Post post -> baton.start(people, "producer", () -> post(post));
      case Act.Receive(String id, Behaviour behaviour) -> {
        world.tell("receiver", id + " becomes " + behaviour);
        Objects.requireNonNull(world.receivers.get(id)).become(behaviour);
      }
      case Act.Stop(int node, Duration during) -> world.stopNode(node, during);
      case Act.Kill(int node, Duration down) -> {
        world.killNode(node);
        baton.at(baton.now() + down.toNanos(), null, () -> world.startNode(node));
      }
      case Act.Drain(int node, Duration down) -> {
        world.drainNode(node);
        baton.at(baton.now() + down.toNanos(), null, () -> world.startNode(node));
      }
      case Act.NodeJump(int node, Duration ahead) -> world.jumpNode(node, ahead);
      case Act.WallStep(int node, Duration by) -> world.stepWallClock(node, by);
      case Act.LedgerStep(Duration by) -> world.stepLedgerClock(by);
      case Act.LedgerSlow(Duration during, Duration most) -> {
        world.tell("ledger", "is slow for " + during + ", up to " + most);
        world.server.slow(during, most);
      }
      case Act.LedgerFails(Duration during, double before, double after) -> {
        world.tell("ledger", "fails for " + during);
        world.server.fail(during, before, after);
      }
      case Act.HintsLost(double share) -> world.wakeup.lose(share);
      case Act.Gate(GateScope scope, GateAction action) ->
          baton.start(people, "operator", () -> change(scope, action));
      case Act.PauseWhenClaimed(String id, GateScope scope) ->
          baton.start(people, "operator", () -> pauseWhenClaimed(id, scope));
      case Act.Delete(String id, boolean whenClaimed) ->
          baton.start(people, "owner", () -> delete(id, whenClaimed));
      case Act.StopWhenSent(String id, Duration beyondLease) ->
          baton.start(people, "fate", () -> stopWhenSent(id, beyondLease));
      case Act.KillWorker(int worker, Duration down) -> {
        world.workers.kill(worker);
        baton.at(baton.now() + down.toNanos(), null, () -> world.workers.start(worker));
      }
      case Act.StopWorker(int worker, Duration during) -> world.workers.stop(worker, during);
      case Act.ShareWorkers(String id, var share) -> world.shareWorkers(id, share);
      case Act.Limits(String id, var settings) -> world.setLimits(id, settings);
      case Act.Cancel(String id, int most) ->
          baton.start(people, "operator", () -> cancel(id, most));
      case Act.Redrive(String id, int most, boolean delivered) ->
          baton.start(people, "operator", () -> redrive(id, most, delivered));
      case Act.StartRedrive(String id, var settings) ->
          baton.start(people, "operator", () -> startRedrive(id, settings));
      case Act.SteerRedrive(String id, var command) ->
          baton.start(people, "operator", () -> steerRedrives(id, command));
    }
  }

  // ---- producers

  void post(Act.Post post) {
    List<NewEvent> batch = new ArrayList<>();
    for (int i = 0; i < post.count(); i++) {
      batch.add(event(post));
    }
    List<NewEvent> accepted = accept(batch);
    if (post.retried() && !accepted.isEmpty()) {
      // The producer did not hear the answer and posts again, under the same keys.
      accept(accepted);
    }
  }

  private NewEvent event(Act.Post post) {
    long nth = ++events;
    long millis = world.ledgerNow().toEpochMilli();
    return new NewEvent(
        new UUID((millis << 16) | 0x7000 | (nth & 0xfff), Long.MIN_VALUE | nth),
        Plan.tenantOf(post.destinationId()),
        "order.paid",
        "application/json",
        List.of(),
        new byte[post.bodyBytes()],
        post.urgency(),
        "key-" + nth,
        List.of(post.destinationId()));
  }

  /** Posts until somebody answers; a failed post may have taken effect, so the keys stay. */
  private List<NewEvent> accept(List<NewEvent> batch) {
    for (int i = 0; i < TRIES; i++) {
      Node node = world.someNode(random.nextInt(world.members().size()));
      if (node != null) {
        try {
          promise(batch, node.intake().accept(batch));
          return batch;
        } catch (LedgerException failure) {
          // Tried again.
        }
      }
      baton.sleep(Duration.ofMillis(300).toNanos());
    }
    return List.of();
  }

  private void promise(List<NewEvent> batch, List<Acceptance> answers) {
    for (int i = 0; i < answers.size(); i++) {
      @Nullable UUID eventId =
          switch (answers.get(i)) {
            case Acceptance.Stored stored -> stored.eventId();
            case Acceptance.Replayed replayed -> replayed.eventId();
            case Acceptance.KeyConflict _, Acceptance.UnknownTenant _, Acceptance.Full _ ->
                throw new IllegalStateException("a good event got " + answers.get(i));
            case Acceptance.UnknownDestination(String gone) -> {
              if (!world.auditor.isDeleted(gone)) {
                throw new IllegalStateException(gone + " is there and was not found");
              }
              yield null;
            }
          };
      if (eventId == null) {
        continue;
      }
      String id = batch.get(i).destinationIds().getFirst();
      int shard = Shard.of(id, world.ledger.shards());
      world.auditor.promised(new DeliveryKey(shard, id, eventId));
    }
  }

  // ---- operators

  private void persist(Runnable call) {
    for (int i = 0; i < TRIES; i++) {
      try {
        call.run();
        return;
      } catch (LedgerException failure) {
        baton.sleep(Duration.ofMillis(500).toNanos());
      }
    }
  }

  void change(GateScope scope, GateAction action) {
    world.tell("operator", action + " " + scope);
    persist(() -> {
      var _ = world.ledger.changeGate(scope, action, World.OPERATOR, world::reopened);
      Node node = world.someNode(0);
      if (node != null) {
        node.gatesChanged();
      }
    });
  }

  /** Looks over the system's shoulder for the worst moment, and pauses then. */
  private void pauseWhenClaimed(String id, GateScope scope) {
    if (watch(id, world.auditor::unsent) != null) {
      change(scope, GateAction.PAUSE);
    }
  }

  private void delete(String id, boolean whenClaimed) {
    if (whenClaimed && watch(id, world.auditor::unsent) == null) {
      return;
    }
    world.tell("owner", "deletes " + id);
    persist(() -> {
      var _ = world.ledger.deleteDestination(id, World.OPERATOR);
      Node node = world.someNode(0);
      if (node != null) {
        node.gatesChanged();
      }
    });
  }

  private void stopWhenSent(String id, Duration beyondLease) {
    DeliveryRow row = watch(id, world.auditor::unanswered);
    if (row != null) {
      world.stopNode(String.valueOf(row.leasedBy()), world.limitsOf(id).lease().plus(beyondLease));
    }
  }

  /** Waits for a lease of which this holds; null when the faults are over before. */
  private @Nullable DeliveryRow watch(String id, Predicate<DeliveryRow> holds) {
    long left = world.plan.faults().toNanos() - baton.now();
    AtomicReference<@Nullable DeliveryRow> seen = new AtomicReference<>();
    baton.await(
        world.auditor,
        () -> {
          world.auditor.leased(id).filter(holds).findFirst().ifPresent(seen::set);
          return seen.get() != null;
        },
        Math.max(0, left));
    return seen.get();
  }

  private void cancel(String id, int most) {
    world.tell("operator", "cancels " + most + " of " + id);
    world.auditor.unfinished().stream()
        .filter(row -> row.key().destinationId().equals(id))
        .limit(most)
        .forEach(row -> persist(() -> world.ledger.cancel(row.key(), World.OPERATOR, freed)));
  }

  /** A job that a worker holds is paid for until now. */
  private final BudgetRule freed =
      new BudgetRule() {
        @Override
        public BudgetState apply(String budgetId, @Nullable BudgetState state, Instant now) {
          Stamp stamp = new Stamp(NO_GENERATION, false, false, false);
          return Budget.feed(
              Objects.requireNonNull(state),
              world.settingsOf(budgetId),
              new Feedback.HandedBack(stamp),
              now);
        }

        @Override
        public BudgetState applyToJob(
            String budgetId, @Nullable BudgetState state, HeldJob job, Instant now) {
          var stopped =
              new JobFeedback.Cancelled(job.stamp(), job.heldAt(now), job.charged(), job.lent());
          return Budget.feedJob(
              Objects.requireNonNull(state), world.limitsOf(budgetId).tubeBudget(), stopped, now);
        }
      };

  private void redrive(String id, int most, boolean delivered) {
    world.tell("operator", "redrives " + most + " of " + id);
    DeliveryState from = delivered ? DeliveryState.DELIVERED : DeliveryState.DEAD;
    List<DeliveryRow> chosen =
        world.auditor.everything().values().stream()
            .filter(row -> row.key().destinationId().equals(id) && row.state() == from)
            .limit(most)
            .toList();
    for (DeliveryRow row : chosen) {
      persist(() -> {
        boolean again =
            delivered
                ? world.ledger.sendAgain(row.key(), World.OPERATOR)
                : world.ledger.redrive(row.key(), World.OPERATOR);
        Node node = world.someNode(0);
        if (again && node != null) {
          node.due(List.of(id));
        }
      });
    }
  }

  private void startRedrive(String id, RedriveSettings settings) {
    String redriveId = "rdr_" + ++redrives;
    world.tell("operator", "starts redrive " + redriveId + " of " + id + " " + settings);
    persist(() -> {
      var _ = world.redrives.start(redriveId, RedriveFilter.allOf(id), settings, World.OPERATOR);
    });
  }

  private void steerRedrives(String id, Redrives.Command command) {
    persist(() -> {
      for (RedriveTask task : active(id)) {
        world.tell("operator", command + " redrive " + task.key().id());
        var _ = world.redrives.command(task.key().id(), command, World.OPERATOR);
      }
    });
  }

  private List<RedriveTask> active(String id) {
    return world.redrives.list(new Redrives.Listing(Set.of(), id, true, null, 10));
  }

  /** Opens every gate, again and again, because what is in flight may close one once more. */
  void reopenEverything() {
    baton.start(
        people,
        "operator",
        () -> {
          // Quotas have just been taken away: a change of a gate makes the nodes look again.
          persist(() -> {
            var _ =
                world.ledger.changeGate(
                    new GateScope.Everything(), GateAction.PAUSE, World.OPERATOR, world::reopened);
          });
          while (true) {
            List<GateScope> scopes = new ArrayList<>();
            scopes.add(new GateScope.Everything());
            Plan.TENANTS.forEach(tenant -> scopes.add(new GateScope.OfTenant(tenant)));
            world.receivers.keySet().forEach(id -> scopes.add(new GateScope.OfDestination(id)));
            world
                .plan
                .tubes()
                .limits()
                .keySet()
                .forEach(id -> scopes.add(new GateScope.OfDestination(id)));
            for (GateScope scope : scopes) {
              for (GateAction action :
                  List.of(GateAction.RESUME, GateAction.RELEASE, GateAction.ENABLE)) {
                persist(() -> {
                  var _ = world.ledger.changeGate(scope, action, World.OPERATOR, world::reopened);
                });
              }
            }
            if (world.plan.redrives()) {
              world.receivers.keySet().forEach(id -> steerRedrives(id, Redrives.Command.RESUME));
            }
            Node node = world.someNode(0);
            if (node != null) {
              node.gatesChanged();
            }
            baton.sleep(Duration.ofSeconds(10).toNanos());
          }
        });
  }

  /** One event for a destination, through a node that runs. */
  void poke(String id) {
    baton.start(
        people, "producer", () -> post(new Act.Post(id, 1, Urgency.INTERACTIVE, 10, false)));
  }
}
