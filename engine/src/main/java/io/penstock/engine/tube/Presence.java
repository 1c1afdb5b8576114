package io.penstock.engine.tube;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When this node last heard of each worker: its last lease, poll or renewal. For people; no lease
 * depends on it. Safe for use by many threads.
 */
public final class Presence {
  /** Workers remembered between two looks; more are heard of again soon. */
  static final int MOST = 10_000;

  private final Map<String, Seen> changed = new LinkedHashMap<>();

  /**
   * A worker that was heard of.
   *
   * @param tubes what it asked for; empty = it renewed, and asked for nothing new
   */
  public record Seen(String worker, @Nullable String poolId, List<String> tubes, Instant at) {}

  /** A worker asked for jobs. */
  void polled(LeaseRequest request, Instant at) {
    note(
        new Seen(
            request.worker(),
            request.poolId(),
            request.tubes().stream().map(Tube::id).toList(),
            at));
  }

  /** A worker renewed a lease. */
  void renewed(String worker, @Nullable String poolId, Instant at) {
    synchronized (changed) {
      Seen before = changed.get(worker);
      note(new Seen(worker, poolId, before == null ? List.of() : before.tubes(), at));
    }
  }

  private void note(Seen seen) {
    synchronized (changed) {
      if (changed.size() < MOST || changed.containsKey(seen.worker())) {
        changed.put(seen.worker(), seen);
      }
    }
  }

  /** Who was heard of since the last call. */
  public List<Seen> takeChanged() {
    synchronized (changed) {
      List<Seen> all = new ArrayList<>(changed.values());
      changed.clear();
      return all;
    }
  }
}
