package io.penstock.engine.shelf;

import io.penstock.engine.delivery.Reason;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long the shelf keeps dead letters with their payloads: a time for all, and exceptions for
 * tenants and reasons.
 *
 * @param standard where no exception says otherwise; a day or more
 * @param exceptions the closest one counts: tenant and reason, then tenant, then reason; each of a
 *     day or more, and none twice
 */
public record ShelfRetention(Duration standard, List<Rule> exceptions) {
  /** Partitions are days: less than one cannot be kept. */
  private static final Duration SHORTEST = Duration.ofDays(1);

  /** 30 days for all. */
  public static final ShelfRetention DEFAULT = new ShelfRetention(Duration.ofDays(30), List.of());

  /**
   * One exception.
   *
   * @param tenantId null = of every tenant
   * @param reason null = for every reason
   */
  public record Rule(@Nullable String tenantId, @Nullable Reason reason, Duration keep) {
    public Rule {
      check(keep);
      if (tenantId == null && reason == null) {
        throw new IllegalArgumentException(
            "retention of the shelf: an exception names a tenant, a reason or both; got neither");
      }
    }

    private boolean matches(String tenant, Reason why) {
      return (tenantId == null || tenantId.equals(tenant)) && (reason == null || reason == why);
    }

    private int closeness() {
      return (tenantId == null ? 0 : 2) + (reason == null ? 0 : 1);
    }
  }

  public ShelfRetention {
    check(standard);
    exceptions = List.copyOf(exceptions);
    long different =
        exceptions.stream().map(one -> one.tenantId() + " " + one.reason()).distinct().count();
    if (different < exceptions.size()) {
      throw new IllegalArgumentException(
          "retention of the shelf: the same tenant and reason has two exceptions; leave one");
    }
  }

  /** How long a dead letter of this tenant and reason is kept. */
  public Duration of(String tenantId, Reason reason) {
    Rule closest = null;
    for (Rule one : exceptions) {
      if (one.matches(tenantId, reason)
          && (closest == null || one.closeness() > closest.closeness())) {
        closest = one;
      }
    }
    return closest == null ? standard : closest.keep();
  }

  /** The shortest time that any dead letter is kept. */
  public Duration shortest() {
    return exceptions.stream()
        .map(Rule::keep)
        .reduce(standard, (a, b) -> a.compareTo(b) < 0 ? a : b);
  }

  /** The longest time that any dead letter is kept. */
  public Duration longest() {
    return exceptions.stream()
        .map(Rule::keep)
        .reduce(standard, (a, b) -> a.compareTo(b) > 0 ? a : b);
  }

  private static void check(Duration keep) {
    if (keep.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "retention of the shelf: got %s, wanted %s or more".formatted(keep, SHORTEST));
    }
  }
}
