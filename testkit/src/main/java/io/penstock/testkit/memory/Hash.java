package io.penstock.testkit.memory;

import io.penstock.engine.ledger.NewEvent;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash that tells whether a key came with the same bytes. */
final class Hash {
  private Hash() {}

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
