package io.penstock.server.demo;

import io.penstock.server.client.Table;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Where the table is drawn: over itself on a terminal, a line now and then elsewhere. For one
 * thread.
 */
final class Screen {
  private static final String CLEAR_BELOW = "\u001b[J";

  /**
   * A terminal cuts what is too wide; wrapped, a line would take two, and the next frame miss it.
   */
  private static final String CUT = "\u001b[?7l";

  private static final String WRAP = "\u001b[?7h";

  /** Frames between two lines where there is no terminal. */
  private static final int PLAIN_EVERY = 10;

  private final PrintWriter out;
  private final boolean live;
  private int linesDrawn;
  private int frames;

  Screen(PrintWriter out, boolean live) {
    this.out = out;
    this.live = live;
  }

  /** Writes the books of a run below what was drawn. */
  void close(Table books, Duration ran, long events, double first) {
    out.printf(
        "%nThe books after %.1f s and %d events, the first delivered %s:%n%n%s%n%n",
        ran.toMillis() / 1_000.0,
        events,
        first < 0 ? "never" : "after %.2f s".formatted(first),
        books);
    out.flush();
  }

  /** Draws one frame. */
  void draw(Table table, Supplier<String> line) {
    if (live) {
      if (linesDrawn > 0) {
        out.print("\u001b[%dA".formatted(linesDrawn));
        out.print(CLEAR_BELOW);
      }
      String text = table.toString();
      linesDrawn = (int) text.lines().count();
      out.print(CUT);
      out.println(text);
      out.print(WRAP);
    } else if (frames++ % PLAIN_EVERY == 0) {
      out.println(line.get());
    }
    out.flush();
  }
}
