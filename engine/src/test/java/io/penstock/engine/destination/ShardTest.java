package io.penstock.engine.destination;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShardTest {
  @Test
  void theShardIsFixedByTheIdForEver() {
    // SHA-256("dst_9f31c") and SHA-256("acme") computed elsewhere: stored rows depend on them.
    assertThat(Shard.of("dst_9f31c", 1)).isZero();
    assertThat(Shard.of("dst_9f31c", 4)).isZero();
    assertThat(Shard.of("acme", 4)).isEqualTo(1);
  }

  @Test
  void idsSpreadEvenly() {
    int[] counts = new int[4];
    for (int i = 0; i < 4_000; i++) {
      counts[Shard.of("dst_" + i, 4)]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(900, 1_100);
    }
  }
}
