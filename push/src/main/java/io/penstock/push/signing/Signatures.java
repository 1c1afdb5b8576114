package io.penstock.push.signing;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Standard Webhooks: what is signed, and how signatures travel in headers. Several keys give
 * several signatures, so that a receiver can change over during a rotation. Pure; safe for use by
 * many threads.
 */
public final class Signatures {
  /** The event, the same for every attempt. */
  public static final String ID_HEADER = "webhook-id";

  /** The attempt's time in epoch seconds. */
  public static final String TIMESTAMP_HEADER = "webhook-timestamp";

  /** The signatures, separated by blanks. */
  public static final String SIGNATURE_HEADER = "webhook-signature";

  /**
   * How far a timestamp may lie from the verifier's clock, against replays; the standard's hint.
   */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  /** What verification says. */
  public enum Verification {
    VERIFIED,
    /** One of the three headers is absent or cannot be read. */
    MALFORMED,
    /** The timestamp is too far from now. */
    OUT_OF_TIME,
    /** No signature belongs to the message under any of the keys. */
    NO_MATCH
  }

  private Signatures() {}

  /** The value of {@link #SIGNATURE_HEADER}: one signature per key, in the order of the keys. */
  public static String sign(List<SigningKey> keys, String id, long epochSecond, byte[] body) {
    byte[] head = head(id, epochSecond);
    return keys.size() == 1
        ? keys.getFirst().sign(head, body)
        : keys.stream().map(key -> key.sign(head, body)).collect(Collectors.joining(" "));
  }

  /**
   * Checks what a receiver got. Null stands for an absent header.
   *
   * @param keys any of which may match
   * @param now the receiver's clock
   */
  public static Verification verify(
      List<SigningKey> keys, Received received, byte[] body, Instant now) {
    Instant sentAt;
    try {
      sentAt = Instant.ofEpochSecond(Long.parseLong(received.timestamp()));
    } catch (NumberFormatException | DateTimeException _) {
      return Verification.MALFORMED;
    }
    if (received.id().isEmpty() || received.signatures().isBlank()) {
      return Verification.MALFORMED;
    }
    if (Duration.between(sentAt, now).abs().compareTo(TOLERANCE) > 0) {
      return Verification.OUT_OF_TIME;
    }
    byte[] head = head(received.id(), sentAt.getEpochSecond());
    for (String signature : received.signatures().split(" ", -1)) {
      for (SigningKey key : keys) {
        if (matches(key, signature, head, body)) {
          return Verification.VERIFIED;
        }
      }
    }
    return Verification.NO_MATCH;
  }

  /** The three headers as they came; empty = absent. */
  public record Received(String id, String timestamp, String signatures) {}

  private static boolean matches(SigningKey key, String signature, byte[] head, byte[] body) {
    if (!signature.startsWith(key.version())) {
      return false;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(signature.substring(key.version().length()));
      return key.verifies(head, body, bytes);
    } catch (IllegalArgumentException _) {
      return false; // not base64
    }
  }

  private static byte[] head(String id, long epochSecond) {
    return (id + "." + epochSecond + ".").getBytes(StandardCharsets.UTF_8);
  }
}
