package io.penstock.push.signing;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Ed25519, the scheme {@code v1a}: whoever verifies needs no secret. */
final class Ed25519Key implements SigningKey {
  static final String PRIVATE_PREFIX = "whsk_";
  static final String PUBLIC_PREFIX = "whpk_";
  private static final String ALGORITHM = "Ed25519";
  private static final String VERSION = "v1a,";
  private static final int KEY_BYTES = 32;

  private final @Nullable PrivateKey signing;
  private final @Nullable PublicKey verifying;

  private Ed25519Key(@Nullable PrivateKey signing, @Nullable PublicKey verifying) {
    this.signing = signing;
    this.verifying = verifying;
  }

  /** From a seed of 32 bytes, perhaps followed by the 32 bytes of the public key. */
  static Ed25519Key ofPrivate(byte[] key) {
    if (key.length != KEY_BYTES && key.length != 2 * KEY_BYTES) {
      throw new IllegalArgumentException(
          "the signing key has %d bytes; wanted a seed of %d, or that and a public key of %d"
              .formatted(key.length, KEY_BYTES, KEY_BYTES));
    }
    byte[] seed = Arrays.copyOf(key, KEY_BYTES);
    byte[] point = Arrays.copyOfRange(key, KEY_BYTES, key.length);
    try {
      return new Ed25519Key(
          KeyFactory.getInstance(ALGORITHM)
              .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)),
          point.length == 0 ? null : publicKey(point));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  /** From a public key of 32 bytes. */
  static Ed25519Key ofPublic(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "the public key has %d bytes; wanted %d".formatted(key.length, KEY_BYTES));
    }
    return new Ed25519Key(null, publicKey(key));
  }

  /** RFC 8032, section 5.1.2: little-endian y, the top bit says whether x is odd. */
  private static PublicKey publicKey(byte[] encoded) {
    byte[] bigEndian = new byte[KEY_BYTES];
    for (int i = 0; i < KEY_BYTES; i++) {
      bigEndian[i] = encoded[KEY_BYTES - 1 - i];
    }
    boolean odd = (bigEndian[0] & 0x80) != 0;
    bigEndian[0] &= 0x7f;
    EdECPoint point = new EdECPoint(odd, new BigInteger(1, bigEndian));
    try {
      return KeyFactory.getInstance(ALGORITHM)
          .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    } catch (GeneralSecurityException _) {
      throw new IllegalArgumentException("the public key is no point of the curve");
    }
  }

  @Override
  public String version() {
    return VERSION;
  }

  @Override
  public String sign(byte[] head, byte[] body) {
    if (signing == null) {
      throw new UnsupportedOperationException("a public key does not sign");
    }
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(signing);
      signature.update(head);
      signature.update(body);
      return VERSION + Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("signing with a key that was read cannot fail", e);
    }
  }

  @Override
  public boolean verifies(byte[] head, byte[] body, byte[] expected) {
    if (verifying == null) {
      throw new UnsupportedOperationException("a bare seed does not verify");
    }
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(verifying);
      signature.update(head);
      signature.update(body);
      return signature.verify(expected);
    } catch (GeneralSecurityException _) {
      return false; // not 64 bytes, or no points of the curve
    }
  }

  @Override
  public String toString() {
    return "Ed25519Key";
  }
}
