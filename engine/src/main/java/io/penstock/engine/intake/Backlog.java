package io.penstock.engine.intake;

import io.penstock.engine.ledger.Room;
import io.penstock.engine.limits.Limits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What waited when it was last counted, against the backlog bounds of the limits. A bound can be
 * passed by what arrives between two counts, about a second's worth on all nodes together: nothing
 * is counted while a producer waits. Safe for use by many threads.
 */
public final class Backlog implements Room {
  /** Sooner is pointless, since the next count is about a second away. */
  static final Duration SOONEST_RETRY = Duration.ofSeconds(1);

  /** A producer that comes back later than this may have lost its patience. */
  static final Duration LATEST_RETRY = Duration.ofSeconds(60);

  private final Limits limits;
  private volatile Count last = new Count(Map.of(), Map.of());

  private record Count(Map<String, Long> destinations, Map<String, Long> tenants) {}

  /** What waits for one destination. */
  public record Waiting(String tenantId, long deliveries) {}

  public Backlog(Limits limits) {
    this.limits = limits;
  }

  /** Takes in a count of everything that waits, by destination; what is missing has nothing. */
  public void counted(Map<String, Waiting> waiting) {
    Map<String, Long> destinations = new HashMap<>();
    Map<String, Long> tenants = new HashMap<>();
    waiting.forEach((id, one) -> {
      destinations.put(id, one.deliveries());
      tenants.merge(one.tenantId(), one.deliveries(), Long::sum);
    });
    last = new Count(destinations, tenants);
  }

  @Override
  public Answer of(String tenantId, String destinationId) {
    Count count = last;
    long ofTenant = count.tenants().getOrDefault(tenantId, 0L);
    Long mostOfTenant = limits.ofTenant(tenantId).backlog().deliveries();
    double rate = limits.of(destinationId).budget().ratePerSecond();
    if (isFull(ofTenant, mostOfTenant)) {
      return new TenantFull(bound("tenant " + tenantId, ofTenant, mostOfTenant, rate));
    }
    long waiting = count.destinations().getOrDefault(destinationId, 0L);
    Long most = limits.of(destinationId).backlog().deliveries();
    if (isFull(waiting, most)) {
      return new DestinationFull(bound("destination " + destinationId, waiting, most, rate));
    }
    return new Free();
  }

  private static boolean isFull(long waiting, @Nullable Long most) {
    return most != null && waiting >= most;
  }

  /** Room comes when what is too much has been sent, at the configured rate. */
  private static Bound bound(String what, long waiting, @Nullable Long most, double ratePerSecond) {
    long bound = most == null ? Long.MAX_VALUE : most;
    double seconds = ratePerSecond > 0 ? (waiting - bound + 1) / ratePerSecond : Double.MAX_VALUE;
    double clamped =
        Math.clamp(seconds, (double) SOONEST_RETRY.toSeconds(), (double) LATEST_RETRY.toSeconds());
    return new Bound(what, waiting, bound, Duration.ofSeconds((long) Math.ceil(clamped)));
  }
}
