package io.penstock.server.limits;

import io.penstock.engine.limits.LimitsDocument;
import io.penstock.postgres.limits.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What changes from one document to another, by what holds and not by what is written. */
final class LimitsDiff {
  /** Stands for "there is none on this side". */
  static final String ABSENT = "absent";

  private static final String OF_DESTINATION = "destinations.";
  private static final String OF_TENANT = "tenants.";

  /** A diff is for people; one of ten thousand lines is not. */
  private static final int MOST_LINES = 1_000;

  private LimitsDiff() {}

  /**
   * One value that changes.
   *
   * @param scope for instance {@code defaults}, {@code destinations.dst_1}, {@code retention}
   */
  record Change(String scope, String key, String before, String after) {
    @Override
    public String toString() {
      return "%s.%s: %s -> %s".formatted(scope, key, before, after);
    }
  }

  /** All changes; of a destination or tenant in either document those of its own keys. */
  static List<Change> of(LimitsDocument before, LimitsDocument after) {
    List<Change> changes = new ArrayList<>();
    add(
        changes,
        "defaults",
        EffectiveLimits.of(before.defaults()),
        EffectiveLimits.of(after.defaults()));
    for (String id : both(before.destinations(), after.destinations())) {
      add(
          changes,
          OF_DESTINATION + id,
          EffectiveLimits.of(before.of(id)),
          EffectiveLimits.of(after.of(id)));
    }
    add(
        changes,
        "tenant_defaults",
        EffectiveLimits.of(before.tenantDefaults()),
        EffectiveLimits.of(after.tenantDefaults()));
    for (String id : both(before.tenants(), after.tenants())) {
      add(
          changes,
          OF_TENANT + id,
          EffectiveLimits.of(before.ofTenant(id)),
          EffectiveLimits.of(after.ofTenant(id)));
    }
    for (String name : both(before.pools(), after.pools())) {
      add(
          changes,
          "pools." + name,
          orNone(before.pools(), name, EffectiveLimits::of),
          orNone(after.pools(), name, EffectiveLimits::of));
    }
    add(
        changes,
        "retention",
        EffectiveLimits.of(before.retention()),
        EffectiveLimits.of(after.retention()));
    add(changes, "alerts", EffectiveLimits.of(before.alerts()), EffectiveLimits.of(after.alerts()));
    return changes;
  }

  /** As lines of text, at most 1,000. */
  static String text(List<Change> changes) {
    String lines =
        changes.stream().limit(MOST_LINES).map(Change::toString).collect(Collectors.joining("\n"));
    return changes.size() > MOST_LINES
        ? "%s%nand %,d more changes".formatted(lines, changes.size() - MOST_LINES)
        : lines;
  }

  /** The same, with whom it concerns. */
  static Difference difference(List<Change> changes) {
    Set<String> destinations = new TreeSet<>();
    Set<String> tenants = new TreeSet<>();
    boolean widely = false;
    for (Change change : changes) {
      if (change.scope().startsWith(OF_DESTINATION)) {
        destinations.add(change.scope().substring(OF_DESTINATION.length()));
      } else if (change.scope().startsWith(OF_TENANT)) {
        tenants.add(change.scope().substring(OF_TENANT.length()));
      } else {
        widely = true;
      }
    }
    return new Difference(text(changes), destinations, tenants, widely);
  }

  private static Set<String> both(Map<String, ?> before, Map<String, ?> after) {
    Set<String> ids = new TreeSet<>(before.keySet());
    ids.addAll(after.keySet());
    return ids;
  }

  private static <T> Map<String, String> orNone(
      Map<String, T> all, String name, Function<T, Map<String, String>> values) {
    T found = all.get(name);
    return found == null ? Map.of() : values.apply(found);
  }

  private static void add(
      List<Change> changes, String scope, Map<String, String> before, Map<String, String> after) {
    Map<String, String> keys = new LinkedHashMap<>(before);
    keys.putAll(after);
    for (String key : keys.keySet()) {
      String was = before.getOrDefault(key, ABSENT);
      String is = after.getOrDefault(key, ABSENT);
      if (!was.equals(is)) {
        changes.add(new Change(scope, key, was, is));
      }
    }
  }
}
