package io.penstock.server.tube;

import io.penstock.server.tube.Supply.PoolSupply;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then which pools are over-committed, says so once in the log, and keeps the slack
 * of each for the metrics. {@link #runOnce} is for one thread, the rest for many.
 */
public final class SupplyWatch {
  private static final Logger log = LoggerFactory.getLogger(SupplyWatch.class);

  /** As workers without a pool are called in the log and in metrics. */
  private static final String UNNAMED = "none";

  private final Supply supply;
  private Map<String, String> known = Map.of();
  private volatile Map<String, Double> slack = Map.of();
  private volatile int overCommitted;

  public SupplyWatch(Supply supply) {
    this.supply = supply;
  }

  /** How many pools were over-committed at the last look. */
  public int overCommitted() {
    return overCommitted;
  }

  /** What was left of each pool's workers at the last look, in per cent. */
  public Map<String, Double> slackPercent() {
    return slack;
  }

  /** Looks at all pools. */
  public void runOnce() {
    Map<String, String> over = new HashMap<>();
    Map<String, Double> left = new LinkedHashMap<>();
    for (PoolSupply pool : supply.pools()) {
      String name = pool.name() == null ? UNNAMED : pool.name();
      left.put(name, pool.forecast().slackPercent());
      if (pool.commitment().isOver()) {
        over.put(name, pool.commitment().sentence());
      }
    }
    over.forEach((name, why) -> {
      if (!known.containsKey(name)) {
        log.warn("pool {} is over-committed: {}", name, why);
      }
    });
    known.keySet().stream()
        .filter(name -> !over.containsKey(name))
        .forEach(name -> log.info("pool {} is no longer over-committed", name));
    known = over;
    slack = left;
    overCommitted = over.size();
  }
}
