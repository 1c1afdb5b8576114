package io.penstock.push.signing;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256, the scheme {@code v1}. */
final class HmacKey implements SigningKey {
  static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";
  private static final String VERSION = "v1,";

  /** The standard's range, in bytes. */
  private static final int MIN_BYTES = 24;

  private static final int MAX_BYTES = 64;

  /** Keyed once. A Mac serves one thread at a time, so every use works on a clone. */
  private final Mac keyed;

  private HmacKey(Mac keyed) {
    this.keyed = keyed;
  }

  static HmacKey of(byte[] key) {
    if (key.length < MIN_BYTES || key.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "the signing key has %d bytes; wanted %d to %d"
              .formatted(key.length, MIN_BYTES, MAX_BYTES));
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return new HmacKey(mac);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  @Override
  public String version() {
    return VERSION;
  }

  @Override
  public String sign(byte[] head, byte[] body) {
    return VERSION + Base64.getEncoder().encodeToString(mac(head, body));
  }

  @Override
  public boolean verifies(byte[] head, byte[] body, byte[] signature) {
    return MessageDigest.isEqual(mac(head, body), signature);
  }

  private byte[] mac(byte[] head, byte[] body) {
    try {
      Mac mac = (Mac) keyed.clone();
      mac.update(head);
      return mac.doFinal(body);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the JDK's HMAC can be cloned", e);
    }
  }

  @Override
  public String toString() {
    return "HmacKey";
  }
}
