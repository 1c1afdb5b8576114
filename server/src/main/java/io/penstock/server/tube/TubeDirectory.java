package io.penstock.server.tube;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Ledger;
import io.penstock.server.auth.Caller;
import io.penstock.server.http.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which ids are tubes, and whose: asked for every call of every worker, so remembered for a few
 * seconds. What it remembers never changes but by deletion. Safe for use by many threads.
 */
final class TubeDirectory {
  /** How long a tube that was deleted may still be named. */
  private static final Duration REMEMBERED = Duration.ofSeconds(5);

  private static final int MOST_REMEMBERED = 10_000;

  private final Ledger ledger;
  private final LongSupplier nanoClock;
  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  private record Known(Destination destination, long untilNanos) {}

  TubeDirectory(Ledger ledger, LongSupplier nanoClock) {
    this.ledger = ledger;
    this.nanoClock = nanoClock;
  }

  /** These tubes, each once; refuses when one is none, or not the caller's to see. */
  List<Destination> all(Caller caller, Collection<String> ids) {
    Map<String, Destination> found = find(ids);
    List<Destination> tubes = new ArrayList<>();
    for (String id : new java.util.LinkedHashSet<>(ids)) {
      Destination tube = found.get(id);
      if (!isVisible(caller, tube)) {
        throw Call.notFound("tube", id);
      }
      tubes.add(tube);
    }
    return tubes;
  }

  /** Those of these ids that are tubes and the caller's to see. */
  List<Destination> some(Caller caller, Collection<String> ids) {
    return find(ids).values().stream().filter(tube -> isVisible(caller, tube)).toList();
  }

  private static boolean isVisible(Caller caller, @Nullable Destination tube) {
    return tube != null && tube.mode() == Destination.Mode.PULL && caller.sees(tube.tenantId());
  }

  private Map<String, Destination> find(Collection<String> ids) {
    Map<String, Destination> found = new HashMap<>();
    List<String> asked = new ArrayList<>();
    long now = nanoClock.getAsLong();
    synchronized (known) {
      for (String id : ids) {
        Known one = known.get(id);
        if (one != null && now - one.untilNanos() < 0) {
          found.put(id, one.destination());
        } else {
          asked.add(id);
        }
      }
    }
    if (!asked.isEmpty()) {
      for (Destination destination : ledger.destinations(asked)) {
        found.put(destination.id(), destination);
        synchronized (known) {
          known.put(destination.id(), new Known(destination, now + REMEMBERED.toNanos()));
        }
      }
    }
    return found;
  }
}
