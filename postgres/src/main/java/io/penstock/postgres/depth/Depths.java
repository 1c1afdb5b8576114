package io.penstock.postgres.depth;

import io.penstock.engine.delivery.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What waited at one time.
 *
 * @param at the ledger's time at the end of the round; null before the first one
 * @param destinations those with anything waiting, by id
 * @param oldestSnapshot how long the oldest transaction on the database has kept its snapshot, of
 *     those that our role may see; vacuum takes nothing away that is younger
 */
public record Depths(
    @Nullable Instant at, Map<String, Depth> destinations, Duration oldestSnapshot) {
  public static final Depths NONE = new Depths(null, Map.of(), Duration.ZERO);

  /**
   * What waits for one destination.
   *
   * @param lanes ready and later by lane, in the order of service
   * @param oldestReadySince since when the oldest ready one may go; null when none is ready
   */
  public record Depth(String tenantId, List<LaneDepth> lanes, @Nullable Instant oldestReadySince) {
    /** All that waits, ready or not. */
    public long waiting() {
      return lanes.stream().mapToLong(lane -> lane.ready() + lane.later()).sum();
    }
  }

  /**
   * One lane of one destination.
   *
   * @param ready not_before has passed and no gate is closed
   * @param later scheduled for later, or behind a closed gate
   */
  public record LaneDepth(Lane lane, long ready, long later) {}
}
