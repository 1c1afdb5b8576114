package io.penstock.server.limits;

import io.penstock.engine.limits.PoolLimits;
import java.util.List;

/** Reads the pools of workers. */
final class PoolSection {
  /** The most jobs of one tube at once, and workers of one pool. */
  static final int MOST_AT_ONCE = PoolLimits.MOST_WORKERS;

  private static final PoolLimits EMPTY = new PoolLimits(0, List.of(), true);
  private static final String ALL = "all";

  private PoolSection() {}

  static PoolLimits read(Section own) {
    int size = own.whole("size", 0, 0, PoolLimits.MOST_WORKERS, "workers");
    boolean all = !own.keys().contains("destinations") || own.says("destinations", ALL);
    List<String> ids = own.ids("destinations", ALL);
    own.end();
    return own.checked(EMPTY, () -> new PoolLimits(size, ids, all));
  }

  static PoolLimits empty() {
    return EMPTY;
  }
}
