package io.penstock.engine.destination;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Where an id lies: the first four bytes of its SHA-256, modulo the number of shards that was fixed
 * at installation. Stored on the destination, so that this is asked once in its life.
 */
public final class Shard {
  private Shard() {}

  /**
   * The shard of an id.
   *
   * @param id of a destination, or of a tenant for its idempotency keys
   * @param shards 1 to 32,767
   */
  public static int of(String id, int shards) {
    if (shards == 1) {
      return 0;
    }
    byte[] hash;
    try {
      hash = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
    return Integer.remainderUnsigned(ByteBuffer.wrap(hash).getInt(), shards);
  }
}
