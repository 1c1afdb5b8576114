package io.penstock.postgres;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digest that rows carry. */
public final class Digest {
  private Digest() {}

  /** SHA-256, which every Java has. */
  public static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
