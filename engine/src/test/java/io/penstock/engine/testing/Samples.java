package io.penstock.engine.testing;

import io.penstock.budget.testing.TestClock;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.EventContent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Deliveries for tests. */
public final class Samples {
  public static final Instant NOW = TestClock.START;

  private Samples() {}

  /** A lease of the first lane that has spent {@code attempt} attempts. */
  public static Leased leased(String destinationId, int attempt) {
    return leased(destinationId, attempt, Lane.FIRST);
  }

  public static Leased leased(String destinationId, int attempt, Lane lane) {
    return new Leased(
        new DeliveryKey(0, destinationId, new UUID(0x7000, attempt)),
        "acme",
        1,
        lane,
        Urgency.INTERACTIVE,
        attempt,
        NOW,
        NOW,
        7,
        NOW.plusSeconds(20),
        0,
        2,
        new EventContent("t", "text/plain", List.of(), "k", NOW, new byte[] {1, 2}));
  }
}
