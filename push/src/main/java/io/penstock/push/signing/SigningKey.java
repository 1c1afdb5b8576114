package io.penstock.push.signing;

import java.util.Base64;

/**
 * A key that signs or verifies messages as Standard Webhooks says. Safe for use by many threads.
 * Its {@code toString} shows nothing of the key.
 */
public sealed interface SigningKey permits HmacKey, Ed25519Key {

  /** What a signature of this key begins with: {@code v1,} or {@code v1a,}. */
  String version();

  /**
   * Signs a message.
   *
   * @param head id, dot, timestamp, dot
   * @param body the raw bytes
   * @return the signature with its version
   * @throws UnsupportedOperationException when only the public half is known
   */
  String sign(byte[] head, byte[] body);

  /** Whether this signature, without its version, belongs to the message; takes constant time. */
  boolean verifies(byte[] head, byte[] body, byte[] signature);

  /**
   * Reads a key in its usual form: {@code whsec_} and base64 of 24 to 64 bytes (HMAC-SHA256),
   * {@code whsk_} and base64 of an Ed25519 seed, perhaps followed by the public key, or {@code
   * whpk_} and base64 of a public key, which verifies only. Throws IllegalArgumentException whose
   * message holds nothing of the key.
   */
  static SigningKey parse(String text) {
    if (text.startsWith(HmacKey.PREFIX)) {
      return HmacKey.of(decode(text, HmacKey.PREFIX));
    }
    if (text.startsWith(Ed25519Key.PRIVATE_PREFIX)) {
      return Ed25519Key.ofPrivate(decode(text, Ed25519Key.PRIVATE_PREFIX));
    }
    if (text.startsWith(Ed25519Key.PUBLIC_PREFIX)) {
      return Ed25519Key.ofPublic(decode(text, Ed25519Key.PUBLIC_PREFIX));
    }
    throw new IllegalArgumentException(
        "a signing key begins with %s, %s or %s"
            .formatted(HmacKey.PREFIX, Ed25519Key.PRIVATE_PREFIX, Ed25519Key.PUBLIC_PREFIX));
  }

  private static byte[] decode(String text, String prefix) {
    try {
      return Base64.getDecoder().decode(text.substring(prefix.length()));
    } catch (IllegalArgumentException _) {
      // Without the cause: its message holds a character of the key.
      throw new IllegalArgumentException(
          "what follows %s in a signing key must be base64".formatted(prefix));
    }
  }
}
