package io.penstock.engine.intake;

import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The way in for events: commits them, then hints that their destinations have something due. Safe
 * for use by many threads.
 */
public final class Intake {
  private final Ledger ledger;
  private final EventIds ids;
  private final Room room;
  private final Consumer<Set<String>> due;

  /**
   * The way into one ledger.
   *
   * @param room asked for each delivery whether it may wait
   * @param due told, after the commit, which destinations got something; must not block
   */
  public Intake(
      Ledger ledger,
      LedgerTime time,
      RandomGenerator random,
      Room room,
      Consumer<Set<String>> due) {
    this.ledger = ledger;
    this.room = room;
    this.ids = new EventIds(time::now, random);
    this.due = due;
  }

  /** A fresh id for an event that is about to be accepted. */
  public UUID newEventId() {
    return ids.next();
  }

  /** Accepts events; when it returns they are committed with fsync, or refused one by one. */
  public List<Acceptance> accept(List<NewEvent> events) {
    List<Acceptance> answers = ledger.accept(events, room);
    accepted(answers);
    return answers;
  }

  /** Whether deliveries may wait, for who accepts events in a transaction of its own. */
  public Room room() {
    return room;
  }

  /** Events were accepted and are committed: hints that their destinations have something due. */
  public void accepted(List<Acceptance> answers) {
    Set<String> waiting = new LinkedHashSet<>();
    for (Acceptance answer : answers) {
      if (answer instanceof Acceptance.Stored stored) {
        for (Acceptance.Fanned fanned : stored.deliveries()) {
          if (fanned.state() == DeliveryState.PENDING) {
            waiting.add(fanned.destinationId());
          }
        }
      }
    }
    if (!waiting.isEmpty()) {
      due.accept(waiting);
    }
  }
}
