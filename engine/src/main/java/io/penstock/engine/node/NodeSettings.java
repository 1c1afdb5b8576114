package io.penstock.engine.node;

import io.penstock.engine.settle.Backoff;
import java.time.Duration;

/**
 * What a node is told at its start.
 *
 * @param name unique per process start, for instance {@code host-7f3a91}
 * @param slots deliveries in flight at once on this node, 1 to 100,000
 * @param mostLargeBodyBytes of bodies over 8 KiB in memory at once
 * @param grace how long a stop waits for what is in flight
 */
public record NodeSettings(
    String name, int slots, int mostLargeBodyBytes, Backoff backoff, Duration grace) {
  /** Enough for 8,000 deliveries/s at 60 ms each. */
  public static final int DEFAULT_SLOTS = 512;

  /** Bodies are at most 256 KiB by default: 128 of them. */
  public static final int DEFAULT_LARGE_BODY_BYTES = 32 << 20;

  /** The default deadline of an attempt, and time to settle. */
  public static final Duration DEFAULT_GRACE = Duration.ofSeconds(20);

  public static NodeSettings named(String name) {
    return new NodeSettings(
        name, DEFAULT_SLOTS, DEFAULT_LARGE_BODY_BYTES, Backoff.DEFAULT, DEFAULT_GRACE);
  }
}
