package io.penstock.server.tube;

import io.penstock.engine.limits.Limits;
import io.penstock.postgres.read.Page;
import io.penstock.postgres.read.TubeReads;
import io.penstock.postgres.read.TubeView;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then which tubes have fallen silent, says so once in the log, and keeps their
 * number for the metrics. {@link #runOnce} is for one thread, {@link #silent} for many.
 */
public final class SilenceWatch {
  private static final Logger log = LoggerFactory.getLogger(SilenceWatch.class);

  /** Pages of one look: more tubes than anybody has. */
  private static final int MOST_PAGES = 40;

  private final TubeReads reads;
  private final Limits limits;
  private Map<String, String> known = Map.of();
  private volatile int silent;

  public SilenceWatch(TubeReads reads, Limits limits) {
    this.reads = reads;
    this.limits = limits;
  }

  /** How many tubes were silent at the last look. */
  public int silent() {
    return silent;
  }

  /** Looks at all tubes. */
  public void runOnce() {
    Map<String, String> found = new HashMap<>();
    String after = null;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      Page<TubeView, String> page = reads.tubes(Set.of(), after, Page.MOST_ITEMS);
      page.items().forEach(view -> add(view, found));
      after = page.next();
      if (after == null) {
        break;
      }
    }
    found.forEach((id, why) -> tell(id, why, known.get(id)));
    known.keySet().stream()
        .filter(id -> !found.containsKey(id))
        .forEach(id -> log.info("tube {} is no longer silent", id));
    known = found;
    silent = found.size();
  }

  private void add(TubeView view, Map<String, String> found) {
    TubeBody.silence(view, limits)
        .ifPresent(why -> found.put(view.destination().destination().id(), why));
  }

  private static void tell(String id, String why, @Nullable String before) {
    if (before == null) {
      log.warn("tube {} is silent: {}", id, why);
    }
  }
}
