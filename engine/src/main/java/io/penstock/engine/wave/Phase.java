package io.penstock.engine.wave;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The place of something within a period: uniform over many, and the same for one each time. By
 * SHA-256 of both names, so that neither ids that count nor ids that end alike gather anywhere.
 */
public final class Phase {
  /** The bits that a double holds exactly. */
  private static final int BITS = 53;

  private Phase() {}

  /** From 0 to less than 1. */
  public static double of(String space, String name) {
    byte[] hash;
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(space.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0); // or "ab" with "c" would be "a" with "bc"
      hash = digest.digest(name.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
    return (ByteBuffer.wrap(hash).getLong() >>> (Long.SIZE - BITS)) * 0x1.0p-53;
  }
}
