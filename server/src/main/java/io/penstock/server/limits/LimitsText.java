package io.penstock.server.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.engine.limits.LimitsDocument;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** What the command line does with limits without asking a server. */
public final class LimitsText {
  private LimitsText() {}

  /** The shipped file: every key, with its default and what it does. */
  public static String sample() {
    try (InputStream in =
        Objects.requireNonNull(LimitsText.class.getResourceAsStream("limits.yaml"))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the shipped limits.yaml", e);
    }
  }

  /**
   * What changes from one text to another, a line per value.
   *
   * @throws io.penstock.server.yaml.FaultyFileException when either is at fault
   */
  public static List<String> difference(
      String nameBefore, String before, String nameAfter, String after) {
    LimitsDocument from = LimitsReader.read(nameBefore, before);
    return LimitsDiff.of(from, LimitsReader.read(nameAfter, after)).stream()
        .map(LimitsDiff.Change::toString)
        .toList();
  }
}
