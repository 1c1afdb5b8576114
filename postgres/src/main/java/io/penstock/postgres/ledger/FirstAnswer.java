package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.ledger.Acceptance.Fanned;
import io.penstock.engine.ledger.Acceptance.Suppressed;
import io.penstock.postgres.Bind;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an event became, as it is stored beside its key and answered to whoever repeats it. A line
 * per delivery, {@code destination state reason}, and one for each that was not made, {@code
 * destination suppressed event lease_no completed_us artifact…}; none of these words holds a blank.
 */
public record FirstAnswer(List<Fanned> deliveries, List<Suppressed> suppressed) {
  private static final String SUPPRESSED = "suppressed";

  static FirstAnswer of(List<Fan> fans, List<Suppressed> suppressed) {
    return new FirstAnswer(fans.stream().map(Fan::answer).toList(), suppressed);
  }

  String format() {
    return Stream.concat(
            deliveries.stream().map(FirstAnswer::line), suppressed.stream().map(FirstAnswer::line))
        .collect(Collectors.joining("\n"));
  }

  private static String line(Fanned one) {
    String line = one.destinationId() + " " + one.state().word();
    return one.reason() == null ? line : line + " " + one.reason().word();
  }

  static String line(Suppressed one) {
    String line =
        "%s %s %s %d %d"
            .formatted(
                one.destinationId(),
                SUPPRESSED,
                one.eventId(),
                one.leaseNo(),
                Bind.micros(one.completedAt()));
    return one.artifacts().isEmpty() ? line : line + " " + Fresh.line(one.artifacts());
  }

  /** Reads what {@link #format} wrote. */
  public static FirstAnswer parse(String lines) {
    List<Fanned> deliveries = new ArrayList<>();
    List<Suppressed> suppressed = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      List<String> words = List.of(line.split(" ", -1));
      if (words.get(1).equals(SUPPRESSED)) {
        suppressed.add(suppressed(words));
      } else {
        deliveries.add(
            new Fanned(
                words.get(0),
                DeliveryState.ofWord(words.get(1)),
                words.size() > 2 ? Reason.ofWord(words.get(2)) : null));
      }
    }
    return new FirstAnswer(List.copyOf(deliveries), List.copyOf(suppressed));
  }

  private static Suppressed suppressed(List<String> words) {
    return new Suppressed(
        words.get(0),
        UUID.fromString(words.get(2)),
        Long.parseLong(words.get(3)),
        Bind.ofMicros(Long.parseLong(words.get(4))),
        words.subList(5, words.size()));
  }
}
