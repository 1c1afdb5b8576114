package io.penstock.engine.recurring;

import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Room;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schedules of a ledger. Every method is one transaction, blocks, and throws {@link
 * io.penstock.engine.ledger.LedgerException} when the ledger cannot answer. Safe for use by many
 * threads and nodes: a firing holds the rows of its schedules, and others pass them by.
 *
 * <p>Locks: the schedules' rows before whatever accepting events locks.
 */
public interface Schedules {
  /** Schedules that a tenant may have; a race of creators may pass it by a few. */
  int MOST_OF_TENANT = 20_000;

  /** What became of the wish for a schedule. */
  sealed interface Made {
    record Created(Schedule schedule) implements Made {}

    record Taken(String id) implements Made {}

    record NoTenant(String tenantId) implements Made {}

    /** The tenant has {@link #MOST_OF_TENANT}. */
    record Full(String tenantId) implements Made {}
  }

  /**
   * Makes a schedule.
   *
   * @param wanted given the ledger's time
   */
  Made create(Function<Instant, Schedule> wanted, Audit by);

  Optional<Schedule> find(String id);

  /**
   * By id.
   *
   * @param tenantIds empty = of all
   * @param after only those whose id is greater; null = from the start
   */
  List<Schedule> list(Set<String> tenantIds, @Nullable String after, int limit);

  /** What an operator asks of a schedule. */
  enum Command {
    PAUSE,
    RESUME
  }

  /** What became of a command. */
  sealed interface Commanded {
    record Done(Schedule schedule) implements Commanded {}

    /** It is so already. */
    record Already(Schedule schedule) implements Commanded {}

    record NotFound(String id) implements Commanded {}
  }

  Commanded command(String id, Command command, Audit by);

  /** Deletes a schedule with its firings; what it has sent stays. False when there is none. */
  boolean delete(String id, Audit by);

  /**
   * When the next schedule is due, by shard; shards with none are missing. One look-up of an index
   * for each, however many schedules there are.
   *
   * @param now the ledger's time
   */
  record Look(Instant now, Map<Integer, Instant> next) {}

  Look look();

  /**
   * Which schedules of a shard a firing takes.
   *
   * @param most of them at once
   * @param without these, whenever they are due
   */
  record Turn(int shard, int most, Set<String> without) {
    public Turn {
      without = Set.copyOf(without);
    }

    /** As many as one transaction bears, whichever they are. */
    public static Turn of(int shard) {
      return new Turn(shard, FiringPlan.MOST_SCHEDULES, Set.of());
    }
  }

  /** Fires what is due in a shard, as {@link #fire(Turn, Supplier, Room)} does. */
  default List<FiringPlan.Done> fire(int shard, Supplier<UUID> ids, Room room) {
    return fire(Turn.of(shard), ids, room);
  }

  /**
   * Fires what is due in a shard, the longest due first, as much as one transaction bears: their
   * events, with their fan-out, one row for each instant, and when each comes next. What another
   * node is at is passed by. A crash before its commit leaves nothing of it.
   *
   * @param ids makes the ids of the events
   */
  List<FiringPlan.Done> fire(Turn turn, Supplier<UUID> ids, Room room);

  /** The schedules that such a firing would take first, were nobody else at them. */
  List<String> due(Turn turn);

  /**
   * Firings of a schedule, newest first.
   *
   * @param before only those of earlier instants; null = from the newest
   */
  List<Firing> firings(String id, @Nullable Instant before, int limit);
}
