package io.penstock.budget.work;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A batch that comes again and again, as far as arrivals tell. What trickles in all the time is
 * taken off first; what stands out is joined into bursts; bursts of about one size at about even
 * distances are a recurring batch. Pure.
 *
 * @param every from the start of one to the start of the next
 * @param jobs of one of them, the middle one by size
 * @param last when the last one began
 * @param seen how many of them
 */
public record Recurrence(Duration every, long jobs, Instant last, int seen) {
  /** Minutes without arrivals inside a burst: a producer may pause, and clocks differ. */
  private static final Duration PAUSE = Duration.ofMinutes(3);

  /** Two distances may be chance. */
  private static final int LEAST_BURSTS = 3;

  /** What is smaller than this share of the largest burst is another matter. */
  private static final double LEAST_SHARE = 0.5;

  /** A distance may differ from the middle one by so much of it. */
  private static final double SLIP = 0.25;

  /** And so many of them must keep to it; a run that was skipped is no end of the habit. */
  private static final double MOST_KEEP = 0.75;

  /** So many jobs came within the minute that began then. */
  public record Arrived(Instant minute, long jobs) {}

  private record Burst(Instant start, Instant end, long jobs) {}

  /**
   * The recurring batch in what arrived; empty = there is none, or it came less than three times.
   *
   * @param arrived minutes in which something came, oldest first
   * @param length of the time that was looked at
   */
  public static Optional<Recurrence> of(List<Arrived> arrived, Duration length) {
    List<Burst> bursts = large(bursts(arrived, trickle(arrived, length)));
    if (bursts.size() < LEAST_BURSTS) {
      return Optional.empty();
    }
    List<Long> distances = new ArrayList<>();
    for (int i = 1; i < bursts.size(); i++) {
      distances.add(Duration.between(bursts.get(i - 1).start(), bursts.get(i).start()).toSeconds());
    }
    long every = middle(distances.stream().mapToLong(Long::longValue));
    long kept = distances.stream().filter(d -> Math.abs(d - every) <= SLIP * every).count();
    if (kept < MOST_KEEP * distances.size()) {
      return Optional.empty();
    }
    return Optional.of(
        new Recurrence(
            Duration.ofSeconds(every),
            middle(bursts.stream().mapToLong(Burst::jobs)),
            bursts.getLast().start(),
            bursts.size()));
  }

  /** When the next one is to be expected. */
  public Instant next() {
    return last.plus(every);
  }

  /** What comes in the middle one of all minutes, those with nothing included. */
  private static long trickle(List<Arrived> arrived, Duration length) {
    long minutes = Math.max(1, length.toMinutes());
    long silent = Math.max(0, minutes - arrived.size());
    return middle(
        LongStream.concat(
            LongStream.generate(() -> 0).limit(silent), arrived.stream().mapToLong(Arrived::jobs)));
  }

  private static List<Burst> bursts(List<Arrived> arrived, long trickle) {
    List<Burst> bursts = new ArrayList<>();
    for (Arrived one : arrived) {
      long jobs = one.jobs() - trickle;
      if (jobs <= 0) {
        continue;
      }
      Burst before = bursts.isEmpty() ? null : bursts.getLast();
      if (before != null && !one.minute().isAfter(before.end().plus(PAUSE))) {
        bursts.removeLast();
        bursts.add(new Burst(before.start(), one.minute(), before.jobs() + jobs));
      } else {
        bursts.add(new Burst(one.minute(), one.minute(), jobs));
      }
    }
    return bursts;
  }

  /** A batch has two jobs at least. */
  private static List<Burst> large(List<Burst> bursts) {
    long largest = bursts.stream().mapToLong(Burst::jobs).max().orElse(0);
    return bursts.stream()
        .filter(burst -> burst.jobs() > 1 && burst.jobs() >= LEAST_SHARE * largest)
        .toList();
  }

  private static long middle(LongStream values) {
    long[] sorted = values.sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
