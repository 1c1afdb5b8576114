package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.ledger.Acceptance.Fanned;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One delivery that an event becomes.
 *
 * @param dead why it is born dead; null = it waits
 */
record Fan(String destinationId, int shard, @Nullable Reason dead) {

  Fan bornDead(Reason reason) {
    return new Fan(destinationId, shard, reason);
  }

  Fanned answer() {
    return new Fanned(
        destinationId, dead == null ? DeliveryState.PENDING : DeliveryState.DEAD, dead);
  }

  /** An answer as it is stored beside its key: a line {@code destination state reason} each. */
  static String format(List<Fan> fans) {
    return fans.stream()
        .map(fan ->
            fan.dead() == null
                ? fan.destinationId() + " " + DeliveryState.PENDING.word()
                : fan.destinationId() + " " + DeliveryState.DEAD.word() + " " + fan.dead().word())
        .collect(Collectors.joining("\n"));
  }

  /** Reads what {@link #format} wrote. */
  static List<Fanned> parse(String lines) {
    return lines.lines().map(Fan::line).toList();
  }

  private static Fanned line(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return new Fanned(
        words.get(0),
        DeliveryState.ofWord(words.get(1)),
        words.size() > 2 ? Reason.ofWord(words.get(2)) : null);
  }
}
