package io.penstock.server.cli;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Draws a history on a terminal: a few lines that show where to look, then what happened. Pure. */
final class HistoryDrawing {
  /** Columns of the drawing: fits a terminal of 80 with its labels. */
  static final int COLUMNS = 64;

  /** Lines of what happened; the latest. */
  private static final int MOST_LINES = 100;

  private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
  private static final String ASCII = " .:-=+*%#";

  private HistoryDrawing() {}

  /** The characters of a curve, lowest first: blocks where the terminal has them. */
  static String glyphs() {
    String name = System.getProperty("stdout.encoding", "US-ASCII");
    Charset charset = Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.US_ASCII;
    return charset.newEncoder().canEncode(BLOCKS) ? BLOCKS : ASCII;
  }

  static String of(JsonNode history, String glyphs) {
    Instant from = Instant.parse(history.path("from").asString(""));
    Instant to = Instant.parse(history.path("to").asString(""));
    Curves curves = Curves.of(history, from, to);
    StringBuilder out = new StringBuilder();
    out.append(head(history, from, to)).append('\n');
    if (curves.isEmpty() && history.path("happenings").isEmpty()) {
      return out.append("Nothing moved in this time").append(rest(history)).append('.').toString();
    }
    out.append("rate ").append(line(curves.rates, curves.top, glyphs));
    out.append("  0 to %s/s%n".formatted(number(curves.top)));
    if (curves.mostThrottled > 0) {
      out.append("429s ").append(line(curves.throttled, curves.mostThrottled, glyphs));
      out.append("  %,d in all%n".formatted(curves.allThrottled));
    }
    out.append("     ").append(axis(from, to)).append('\n');
    list(history, Duration.between(from, to).toHours() >= 24, out);
    String text = out.toString().stripTrailing() + rest(history);
    return glyphs.equals(ASCII) ? text.replace("→", "->").replace("…", "...") : text;
  }

  private static String rest(JsonNode history) {
    return history.path("has_more").asBoolean(false)
        ? "\n(there is more after %s; ask for a shorter time)"
            .formatted(history.path("next_from").asString(""))
        : "";
  }

  private static String head(JsonNode history, Instant from, Instant to) {
    String knee =
        history.has("knee_per_second")
            ? ", climbing with care above about %s"
                .formatted(number(history.path("knee_per_second").asDouble(0)))
            : "";
    return "%s is %s: %s of %s a second now%s. From %s to %s."
        .formatted(
            history.path("destination_id").asString(""),
            history.path("state").asString(""),
            number(history.path("rate_per_second").asDouble(0)),
            number(history.path("ceiling_per_second").asDouble(0)),
            knee,
            seconds(from),
            seconds(to));
  }

  private static void list(JsonNode history, boolean withDate, StringBuilder out) {
    JsonNode all = history.path("happenings");
    int skipped = Math.max(0, all.size() - MOST_LINES);
    if (skipped > 0) {
      out.append("… %,d earlier ones; --json has them%n".formatted(skipped));
    }
    for (int i = skipped; i < all.size(); i++) {
      String at = seconds(Instant.parse(all.path(i).path("at").asString("")));
      out.append(withDate ? at.substring(0, 19).replace('T', ' ') : at.substring(11, 19))
          .append("  ")
          .append(all.path(i).path("text").asString(""))
          .append('\n');
    }
  }

  private static String seconds(Instant at) {
    return at.truncatedTo(java.time.temporal.ChronoUnit.SECONDS).toString();
  }

  private static String line(double[] values, double top, String glyphs) {
    StringBuilder line = new StringBuilder(values.length);
    for (double value : values) {
      int level = top <= 0 ? 0 : (int) Math.ceil(value / top * (glyphs.length() - 1));
      line.append(glyphs.charAt(Math.clamp(level, 0, glyphs.length() - 1)));
    }
    return line.toString();
  }

  private static String axis(Instant from, Instant to) {
    String left = seconds(from).substring(11, 16);
    String right = seconds(to).substring(11, 16);
    return left + " ".repeat(COLUMNS - left.length() - right.length()) + right;
  }

  /** A rate as people read it. */
  static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
  }

  /** Columns: the mean rate of each, and its 429s. */
  private static final class Curves {
    private final double[] rates = new double[COLUMNS];
    private final double[] throttled = new double[COLUMNS];
    private double top;
    private double mostThrottled;
    private long allThrottled;

    private boolean isEmpty() {
      return top == 0;
    }

    static Curves of(JsonNode history, Instant from, Instant to) {
      Curves curves = new Curves();
      double[] sums = new double[COLUMNS];
      int[] counts = new int[COLUMNS];
      double[] lasts = new double[COLUMNS];
      double length = Math.max(1, Duration.between(from, to).toMillis());
      for (JsonNode point : history.path("points")) {
        Instant at = Instant.parse(point.path("at").asString(""));
        int column =
            Math.clamp(
                (int) (Duration.between(from, at).toMillis() / length * COLUMNS), 0, COLUMNS - 1);
        double rate = point.path("rate").asDouble(0);
        sums[column] += rate;
        counts[column]++;
        lasts[column] = rate;
        curves.throttled[column] += point.path("throttled").asInt(0);
        curves.allThrottled += point.path("throttled").asInt(0);
        curves.top = Math.max(curves.top, Math.max(rate, point.path("ceiling").asDouble(0)));
      }
      // Between two points the rate stood still.
      double standing = history.path("before").path("rate").asDouble(0);
      curves.top = Math.max(curves.top, history.path("before").path("ceiling").asDouble(0));
      for (int i = 0; i < COLUMNS; i++) {
        curves.rates[i] = counts[i] == 0 ? standing : sums[i] / counts[i];
        standing = counts[i] == 0 ? standing : lasts[i];
        curves.mostThrottled = Math.max(curves.mostThrottled, curves.throttled[i]);
      }
      return curves;
    }
  }
}
