package io.penstock.server.json;

import io.penstock.server.yaml.Quantities;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** Times as people write them: a moment, or how long ago. */
public final class Times {
  /** What a time may look like. */
  public static final String WORDS =
      "a time such as 2026-11-30T12:00:00Z, or how long ago: a number with ms, s, m, h or d";

  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("9999-12-30T00:00:00Z");

  private Times() {}

  /**
   * The time that a text names; empty when it names none.
   *
   * @param now asked only when the text says how long ago
   */
  public static Optional<Instant> read(String text, Supplier<Instant> now) {
    try {
      return Quantities.duration(text)
          .map(ago -> now.get().minus(ago))
          .or(() -> Optional.of(Instant.parse(text)))
          .filter(time -> !time.isBefore(EARLIEST) && time.isBefore(LATEST));
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }
}
