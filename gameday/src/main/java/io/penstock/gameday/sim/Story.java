package io.penstock.gameday.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What happened, a line each: time, who, what. Kept only when somebody will read it. */
final class Story {
  /** Lines kept; a shrunken run has far fewer. */
  private static final int MOST_LINES = 20_000;

  private final boolean told;
  private final Deque<Line> lines = new ArrayDeque<>();
  private long hash = 1;
  private long count;
  private boolean ended;

  /** A line; {@code about} is the destination it concerns, or empty when it concerns all. */
  record Line(long nanos, String who, String about, String what) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%10.4f s  %-14s %s", nanos / 1e9, who, what);
    }
  }

  Story(boolean told) {
    this.told = told;
  }

  void tell(long nanos, String who, String about, Supplier<String> what) {
    count++;
    hash = 31 * (31 * hash + nanos) + who.hashCode();
    if (told && !ended) {
      lines.add(new Line(nanos, who, about, what.get()));
      if (lines.size() > MOST_LINES) {
        lines.removeFirst();
      }
    }
  }

  /** What comes after a broken promise does not belong to its story. */
  void end() {
    ended = true;
  }

  /** Equal for equal runs, told or not. */
  long hash() {
    return hash;
  }

  long count() {
    return count;
  }

  List<Line> lines(Predicate<Line> which) {
    return lines.stream().filter(which).toList();
  }
}
