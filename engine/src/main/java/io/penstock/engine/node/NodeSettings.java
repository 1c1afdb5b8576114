package io.penstock.engine.node;

/**
 * What a node is told at its start.
 *
 * @param name unique per process start, for instance {@code host-7f3a91}
 * @param slots deliveries in flight at once on this node, 1 to 100,000
 * @param mostLargeBodyBytes of bodies over 8 KiB in memory at once
 */
public record NodeSettings(String name, int slots, int mostLargeBodyBytes) {
  /** Bodies are at most 256 KiB by default: 128 of them. */
  public static final int DEFAULT_LARGE_BODY_BYTES = 32 << 20;
}
