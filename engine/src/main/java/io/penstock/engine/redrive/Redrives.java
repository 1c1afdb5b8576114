package io.penstock.engine.redrive;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.ledger.Audit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The redrives of a ledger. Every method is one transaction, or several reads, blocks, and throws
 * {@link io.penstock.engine.ledger.LedgerException} when the ledger cannot answer. Safe for use by
 * many threads and nodes: a step holds its task's row, and a short lease keeps other nodes off.
 *
 * <p>Locks: the task's row before its deliveries.
 */
public interface Redrives {

  /** What became of a start. */
  sealed interface Started {
    record Active(RedriveTask task) implements Started {}

    /** The destination has an active one already. */
    record Busy(RedriveTask active) implements Started {}

    record NoDestination(String destinationId) implements Started {}
  }

  /**
   * Stores a task whose set is frozen now: dead letters whose number is at most the highest one
   * committed. What dies later, again or for the first time, gets a higher number. Told once more
   * under the same id, by a caller who did not hear the answer, it gives the task as it is by now.
   *
   * @param id unique in the installation
   */
  Started start(String id, RedriveFilter filter, RedriveSettings settings, Audit by);

  /** Counts what a filter matches, for at most about {@code budget}, and takes a sample. */
  RedrivePlan plan(RedriveFilter filter, Duration budget);

  Optional<RedriveTask> find(String id);

  /**
   * Which redrives to list; null = any.
   *
   * @param before only those that stand after this one, newest first
   */
  record Listing(
      Set<String> tenantIds,
      @Nullable String destinationId,
      @Nullable Boolean active,
      @Nullable Before before,
      int limit) {}

  /** A place in the list. */
  record Before(Instant startedAt, String id) {}

  /** Newest first. */
  List<RedriveTask> list(Listing listing);

  /** What an operator asks of a redrive. */
  enum Command {
    PAUSE,
    RESUME,
    CANCEL;

    /** The state that it leads to from this one; empty when it is not for that one. */
    public Optional<RedriveState> from(RedriveState state) {
      return switch (this) {
        case PAUSE ->
            state == RedriveState.RUNNING || state == RedriveState.STARTING
                ? Optional.of(RedriveState.PAUSED)
                : Optional.empty();
        // By way of the start, so that a set that was not frozen yet will be.
        case RESUME ->
            state == RedriveState.PAUSED ? Optional.of(RedriveState.STARTING) : Optional.empty();
        case CANCEL -> state.active() ? Optional.of(RedriveState.CANCELLED) : Optional.empty();
      };
    }

    /** The word in the audit. */
    public String action() {
      return "redrive." + name().toLowerCase(Locale.ROOT);
    }

    /** What was done, and who did it, for people. */
    public String explained(Audit by) {
      String done =
          switch (this) {
            case PAUSE -> "paused";
            case RESUME -> "resumed";
            case CANCEL -> "cancelled";
          };
      return done + " by " + by.actor();
    }
  }

  /** What became of a command. */
  sealed interface Commanded {
    record Done(RedriveTask task) implements Commanded {}

    /** It is in no state for that. */
    record WrongState(RedriveTask task) implements Commanded {}

    record NotFound(String id) implements Commanded {}
  }

  Commanded command(String id, Command command, Audit by);

  /**
   * Active and followed redrives that want a step now and that no other node is at, the longest due
   * first, at most {@code most}; and when the next one will.
   */
  Due due(String node, int most);

  /**
   * Who wants a step.
   *
   * @param nextIn until the next one wants a step, as far as is known
   */
  record Due(List<RedriveKey> now, Duration nextIn) {}

  /** What a step did. */
  sealed interface Stepped {
    /**
     * It was made.
     *
     * @param task after the step
     * @param released those that wait now
     */
    record Done(RedriveTask task, RedriveDecision decision, int released) implements Stepped {}

    /** Another node is at it, or it does not exist. */
    record Elsewhere() implements Stepped {}
  }

  /**
   * One step, in one transaction: looks at what became of some of the released, asks {@code rule},
   * releases what it allows, stores the state. A crash before its commit leaves nothing of it.
   */
  Stepped step(RedriveKey key, String node, RedriveRule rule);

  /**
   * One message of a redrive.
   *
   * @param leaseNo the number under which it was put back; its leases are higher
   * @param detail why it was skipped or died again; empty otherwise
   */
  record Event(
      DeliveryKey key,
      long deadLetterNo,
      long leaseNo,
      RedriveOutcome outcome,
      String detail,
      Instant at,
      @Nullable Instant endedAt) {}

  /** Messages of a redrive by dead letter number, after {@code after}. */
  List<Event> events(RedriveKey key, @Nullable RedriveOutcome outcome, long after, int limit);
}
