package io.penstock.testkit.memory;

import io.penstock.engine.ledger.NewEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hashes that rows carry. */
final class Hash {
  private Hash() {}

  /** The shard of a destination or tenant: the first bytes of its SHA-256, modulo the shards. */
  static int shardOf(String id, int shards) {
    byte[] hash = sha256(id.getBytes(StandardCharsets.US_ASCII));
    return (int) (Integer.toUnsignedLong(ByteBuffer.wrap(hash).getInt()) % shards);
  }

  static String ofBody(NewEvent event) {
    return HexFormat.of().formatHex(sha256(event.body()));
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
