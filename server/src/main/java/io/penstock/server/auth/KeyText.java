package io.penstock.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * An API key as it is written: {@code ps_}, 32 characters that hold 160 random bits, and 7 that
 * hold their CRC-32, so that a scanner knows one when it sees one and a mistyped one costs no
 * look-up. The first 8 of the random characters, with the prefix, are the key's public id; 120 bits
 * stay secret. Never print one but to show it once.
 */
public final class KeyText {
  private static final String PREFIX = "ps_";

  /** Crockford's base 32, lower case: no i, l, o, u. */
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

  private static final int RANDOM_CHARS = 32;
  private static final int CHECK_CHARS = 7;
  private static final int ID_CHARS = 8;
  private static final int BITS_PER_CHAR = 5;

  private final String text;

  private KeyText(String text) {
    this.text = text;
  }

  /** A new key. {@code random} must be fit for secrets. */
  public static KeyText generate(RandomGenerator random) {
    StringBuilder chars = new StringBuilder(RANDOM_CHARS);
    for (int i = 0; i < RANDOM_CHARS; i++) {
      chars.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
    }
    return new KeyText(PREFIX + chars + check(chars.toString()));
  }

  /** The key in a text that somebody presented; empty when it is none. */
  public static Optional<KeyText> parse(@Nullable String text) {
    if (text == null
        || text.length() != PREFIX.length() + RANDOM_CHARS + CHECK_CHARS
        || !text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String random = text.substring(PREFIX.length(), PREFIX.length() + RANDOM_CHARS);
    boolean good = text.endsWith(check(random)) && random.chars().allMatch(KeyText::isDigit);
    return good ? Optional.of(new KeyText(text)) : Optional.empty();
  }

  /** The public id. */
  public String id() {
    return text.substring(0, PREFIX.length() + ID_CHARS);
  }

  /** What is stored instead of the key. With 160 random bits a plain digest is enough. */
  public byte[] sha256() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The whole key, to be shown once. */
  public String reveal() {
    return text;
  }

  /** Only the public id. */
  @Override
  public String toString() {
    return id() + "…";
  }

  private static boolean isDigit(int c) {
    return DIGITS.indexOf(c) >= 0;
  }

  private static String check(String random) {
    CRC32 crc = new CRC32();
    crc.update(random.getBytes(StandardCharsets.UTF_8));
    long rest = crc.getValue();
    char[] out = new char[CHECK_CHARS];
    for (int i = CHECK_CHARS - 1; i >= 0; i--) {
      out[i] = DIGITS.charAt((int) (rest & (DIGITS.length() - 1)));
      rest >>>= BITS_PER_CHAR;
    }
    return new String(out);
  }
}
