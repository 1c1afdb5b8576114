package io.penstock.server.why;

import io.penstock.postgres.read.DeliveryView;
import java.util.LinkedHashMap;
import java.util.Map;

/** Says what became of a delivery that waits no more. Pure. */
final class Ended {
  private Ended() {}

  static Why why(DeliveryView delivery) {
    String when = delivery.endedAt() == null ? "" : " at " + Words.time(delivery.endedAt());
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("attempts", delivery.attempts());
    if (delivery.reason() != null) {
      numbers.put("reason", delivery.reason().word());
    }
    String sentence =
        switch (delivery.state()) {
          case DELIVERED -> "It was delivered%s.".formatted(when);
          case CANCELLED -> "It was cancelled%s.".formatted(when);
          case DEAD ->
              "It ended%s without success%s after %s; a redrive sends it again."
                  .formatted(when, reason(delivery), attempts(delivery.attempts()));
          case PENDING, RETRYING, LEASED -> throw new IllegalStateException("it is not over");
        };
    return new Why(delivery.state().word(), sentence, numbers, null, null);
  }

  private static String reason(DeliveryView delivery) {
    return delivery.reason() == null ? "" : " (" + delivery.reason().word() + ")";
  }

  private static String attempts(int attempts) {
    return attempts == 1 ? "1 attempt" : "%,d attempts".formatted(attempts);
  }
}
