package io.penstock.gameday.receiver;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What the receiver does with a request; the path of the request's URL says which. */
sealed interface Answer {

  /** Answers with this status after a while. */
  record Status(int status, Duration after) implements Answer {
    byte[] bytes() {
      String retryAfter = status == 429 ? "retry-after: 1\r\n" : "";
      return ("HTTP/1.1 " + status + " -\r\n" + retryAfter + "content-length: 0\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Says nothing and keeps the connection open. */
  record Hang() implements Answer {}

  /** Closes the connection without an answer. */
  record Reset() implements Answer {}

  /** Tells how many requests came: {@code GET /stats}. */
  record Stats() implements Answer {}

  Status OK = new Status(200, Duration.ZERO);

  /**
   * {@code /status/503}, {@code /delay/250} (milliseconds), {@code /hang}, {@code /reset}, {@code
   * /stats}; anything else is answered with 200 at once.
   */
  static Answer of(String path) {
    String[] parts = path.split("/", -1);
    String word = parts.length > 1 ? parts[1] : "";
    int number = parts.length > 2 && parts[2].matches("\\d{1,6}") ? Integer.parseInt(parts[2]) : 0;
    return switch (word) {
      case "status" -> new Status(number, Duration.ZERO);
      case "delay" -> new Status(200, Duration.ofMillis(number));
      case "hang" -> new Hang();
      case "reset" -> new Reset();
      case "stats" -> new Stats();
      default -> OK;
    };
  }
}
