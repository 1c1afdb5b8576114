package io.penstock.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Where an id lies: the first bytes of its SHA-256, modulo the number fixed at installation. */
public final class Shards {
  private Shards() {}

  /** The shard of a destination's or a tenant's id, from 0 to below {@code shards}. */
  public static int of(String id, int shards) {
    int first = ByteBuffer.wrap(sha256(id.getBytes(StandardCharsets.UTF_8))).getInt();
    return Integer.remainderUnsigned(first, shards);
  }

  /** SHA-256, which every Java has. */
  public static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
