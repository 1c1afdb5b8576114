package io.penstock.gameday.sim;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.limits.TubeLimits;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.Redrives;
import java.time.Duration;

/** One thing that happens in a simulated world. A run's acts are a list, so that it can shrink. */
sealed interface Act {
  /** A producer posts events to a destination through some node. */
  record Post(String destinationId, int count, Urgency urgency, int bodyBytes, boolean retried)
      implements Act {}

  /** A receiver changes its ways. */
  record Receive(String destinationId, Behaviour behaviour) implements Act {}

  /** A node is stopped (SIGSTOP) and goes on later. */
  record Stop(int node, Duration during) implements Act {}

  /** A node dies (kill -9); another takes its place later. */
  record Kill(int node, Duration down) implements Act {}

  /** A node is told to end (SIGTERM); another takes its place later. */
  record Drain(int node, Duration down) implements Act {}

  /** A node's monotonic clock jumps ahead. */
  record NodeJump(int node, Duration ahead) implements Act {}

  /** A node's wall clock steps, either way. Nothing in the engine asks it. */
  record WallStep(int node, Duration by) implements Act {}

  /** The ledger's clock steps. */
  record LedgerStep(Duration by) implements Act {}

  /** The ledger is slow. */
  record LedgerSlow(Duration during, Duration most) implements Act {}

  /** The ledger fails, before or after taking effect. */
  record LedgerFails(Duration during, double before, double after) implements Act {}

  /** Hints between nodes are lost. */
  record HintsLost(double share) implements Act {}

  /** An operator changes a gate. */
  record Gate(GateScope scope, GateAction action) implements Act {}

  /** An operator pauses just when something of this destination was claimed and is not sent. */
  record PauseWhenClaimed(String destinationId, GateScope scope) implements Act {}

  /**
   * An owner deletes a destination; {@code whenClaimed}: just when something of it was claimed and
   * is not sent.
   */
  record Delete(String destinationId, boolean whenClaimed) implements Act {}

  /** A node is stopped just when it waits for an answer, until after its lease has run out. */
  record StopWhenSent(String destinationId, Duration beyondLease) implements Act {}

  /** A worker of the tubes dies (kill -9); another takes its place later. */
  record KillWorker(int worker, Duration down) implements Act {}

  /** A worker of the tubes is stopped (SIGSTOP) and goes on later, late with what it held. */
  record StopWorker(int worker, Duration during) implements Act {}

  /** An operator changes what a tube may spend of its workers. */
  record ShareWorkers(String tubeId, TubeLimits limits) implements Act {}

  /** An operator changes limits. */
  record Limits(String destinationId, BudgetSettings settings) implements Act {}

  /** An operator cancels some of what has not ended. */
  record Cancel(String destinationId, int most) implements Act {}

  /** An operator starts a redrive of all that lies on a destination's shelf. */
  record StartRedrive(String destinationId, RedriveSettings settings) implements Act {}

  /** An operator pauses, resumes or cancels the redrive of a destination that is active. */
  record SteerRedrive(String destinationId, Redrives.Command command) implements Act {}

  /** An operator redrives what is dead, or sends again what was delivered. */
  record Redrive(String destinationId, int most, boolean delivered) implements Act {}
}
