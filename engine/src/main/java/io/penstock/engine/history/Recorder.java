package io.penstock.engine.history;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is worth drawing of how budgets moved, in memory, until somebody takes it away and
 * writes it: every mark, and the rate when it moved, at most once a second. A budget that stands
 * still costs nothing. Like the roll-ups it may lose its last seconds, and never makes a settle
 * wait (case 45). Safe for use by many threads.
 */
public final class Recorder {
  /** Points held at once, between two writes. Beyond it they are lost. */
  static final int MOST_POINTS = 50_000;

  /** Destinations whose last point is remembered; one that was forgotten gets a point too many. */
  private static final int MOST_REMEMBERED = 20_000;

  /** A rate that moved by less than this share of the ceiling is drawn as standing still. */
  private static final double LEAST_MOVE = 0.01;

  private static final String RATE = "rate";

  private final Map<Key, HistoryPoint> points = new LinkedHashMap<>();
  private final Map<String, Drawn> drawn = new LastUsed();
  private long lost;

  private record Key(String destinationId, Instant at, String kind) {}

  private record Drawn(double rate, double ceiling) {
    boolean differsFrom(Sighting sighting) {
      return ceiling != sighting.ceiling()
          || Math.abs(rate - sighting.rate()) > LEAST_MOVE * ceiling
          || (rate != sighting.rate() && sighting.rate() == ceiling);
    }
  }

  /** Forgets those that were not drawn for longest. */
  private static final class LastUsed extends LinkedHashMap<String, Drawn> {
    private static final long serialVersionUID = 1;

    LastUsed() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Drawn> eldest) {
      return size() > MOST_REMEMBERED;
    }
  }

  /** Answers were booked. Never blocks. */
  public void seen(List<Sighting> sightings) {
    synchronized (points) {
      sightings.forEach(this::record);
    }
  }

  private void record(Sighting seen) {
    Instant second = seen.at().truncatedTo(ChronoUnit.SECONDS);
    for (Mark mark : seen.marks()) {
      add(
          new HistoryPoint(
              seen.destinationId(), second, mark.after(), seen.ceiling(), seen.knee(), 0, mark, 1));
    }
    Drawn last = drawn.get(seen.destinationId());
    if (last == null || last.differsFrom(seen) || seen.throttled() > 0 || !seen.marks().isEmpty()) {
      drawn.put(seen.destinationId(), new Drawn(seen.rate(), seen.ceiling()));
      add(
          new HistoryPoint(
              seen.destinationId(),
              second,
              seen.rate(),
              seen.ceiling(),
              seen.knee(),
              seen.throttled(),
              null,
              1));
    }
  }

  private void add(HistoryPoint point) {
    Key key = new Key(point.destinationId(), point.at(), kindOf(point.mark()));
    if (points.size() >= MOST_POINTS && !points.containsKey(key)) {
      lost++;
      return;
    }
    points.merge(key, point, HistoryPoint::then);
  }

  /** The word of a point's kind. */
  public static String kindOf(@Nullable Mark mark) {
    return mark == null ? RATE : mark.kind().word();
  }

  /** All points since the last call. */
  public List<HistoryPoint> take() {
    synchronized (points) {
      List<HistoryPoint> taken = new ArrayList<>(points.values());
      points.clear();
      return taken;
    }
  }

  /** What was taken could not be written: it is kept for the next time. */
  public void giveBack(List<HistoryPoint> taken) {
    synchronized (points) {
      List<HistoryPoint> since = new ArrayList<>(points.values());
      points.clear();
      taken.forEach(this::add);
      since.forEach(this::add);
    }
  }

  /** Points that found no room, since the start. */
  public long lost() {
    synchronized (points) {
      return lost;
    }
  }
}
