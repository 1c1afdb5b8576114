package io.penstock.server.destination;

import io.penstock.engine.delivery.Lane;
import io.penstock.postgres.depth.Depths;
import io.penstock.postgres.depth.Depths.Depth;
import io.penstock.postgres.depth.Depths.LaneDepth;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What waited for a destination when this node last counted.
 *
 * @param ready may go now
 * @param retries of these, tries after the first
 * @param later scheduled for later, or behind a closed gate
 * @param oldestReadyAt since when the oldest ready one may go; null when none is
 * @param countedAt when the count ended
 */
public record WaitingBody(
    long ready, long retries, long later, @Nullable Instant oldestReadyAt, Instant countedAt) {

  /** Of the latest count; null when this node has not counted yet. */
  public static @Nullable WaitingBody of(Depths depths, String destinationId) {
    Instant countedAt = depths.at();
    if (countedAt == null) {
      return null;
    }
    Depth depth = depths.destinations().get(destinationId);
    if (depth == null) {
      return new WaitingBody(0, 0, 0, null, countedAt);
    }
    List<LaneDepth> lanes = depth.lanes();
    return new WaitingBody(
        sum(lanes, LaneDepth::ready),
        sum(lanes, lane -> lane.lane() == Lane.RETRY ? lane.ready() : 0),
        sum(lanes, LaneDepth::later),
        depth.oldestReadySince(),
        countedAt);
  }

  private static long sum(List<LaneDepth> lanes, ToLongFunction<LaneDepth> what) {
    return lanes.stream().mapToLong(what).sum();
  }
}
