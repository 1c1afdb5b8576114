package io.penstock.gameday.receiver;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What the receiver does with a request; the path of the request's URL says which. */
sealed interface Answer {

  /**
   * Answers with this status after a while.
   *
   * @param retryAfterSeconds what it says of when to come back; 0 = nothing
   */
  record Status(int status, Duration after, int retryAfterSeconds) implements Answer {
    byte[] bytes() {
      String retryAfter = retryAfterSeconds > 0 ? "retry-after: " + retryAfterSeconds + "\r\n" : "";
      return ("HTTP/1.1 " + status + " -\r\n" + retryAfter + "content-length: 0\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Says nothing and keeps the connection open. */
  record Hang() implements Answer {}

  /** Closes the connection without an answer. */
  record Reset() implements Answer {}

  /** Answers a byte at a time, and so for ever. */
  record Drip() implements Answer {
    /** Between two bytes. */
    static final Duration GAP = Duration.ofMillis(500);

    /** More than any sender waits for. */
    static final byte[] BYTES =
        ("HTTP/1.1 200 -\r\nx-drip: " + "a".repeat(2_000) + "\r\ncontent-length: 0\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
  }

  /** Answers as a limit of its own says, one for each path. */
  record Limited() implements Answer {}

  /** Tells how many requests came: {@code GET /stats}. */
  record Stats() implements Answer {}

  Status OK = new Status(200, Duration.ZERO, 0);

  /**
   * {@code /status/503}, {@code /delay/250} (milliseconds), {@code /hang}, {@code /reset}, {@code
   * /drip}, {@code /limit/...} (see {@link Limits}), {@code /stats}; anything else is answered with
   * 200 at once.
   */
  static Answer of(String path) {
    String[] parts = path.split("/", -1);
    String word = parts.length > 1 ? parts[1] : "";
    int number = parts.length > 2 && parts[2].matches("\\d{1,6}") ? Integer.parseInt(parts[2]) : 0;
    return switch (word) {
      case "status" -> new Status(number, Duration.ZERO, number == 429 ? 1 : 0);
      case "delay" -> new Status(200, Duration.ofMillis(number), 0);
      case "hang" -> new Hang();
      case "reset" -> new Reset();
      case "drip" -> new Drip();
      case "limit" -> new Limited();
      case "stats" -> new Stats();
      default -> OK;
    };
  }
}
