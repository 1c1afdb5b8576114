package io.penstock.engine.tube;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The workers that wait while one claim is decided, and what each has got. For one thread. */
final class Workers {
  private final Map<String, List<Poll>> byTube = new HashMap<>();
  private final Map<Poll, Integer> taken = new HashMap<>();
  private final List<Poll> polls;
  private final Function<String, Duration> poolIdle;
  private int left;

  /**
   * Everybody has nothing yet.
   *
   * @param most jobs that they may get together
   * @param poolIdle how long a pool has leased nothing
   */
  Workers(List<Poll> polls, int most, Function<String, Duration> poolIdle) {
    this.polls = polls;
    this.poolIdle = poolIdle;
    this.left = most;
    for (Poll poll : polls) {
      poll.tubeIds.forEach(id -> byTube.computeIfAbsent(id, _ -> new ArrayList<>()).add(poll));
    }
  }

  /** Jobs that all of these together would take. */
  static int placesOf(List<Poll> polls) {
    return polls.stream().mapToInt(poll -> poll.request.most()).sum();
  }

  /**
   * Gives one job of this tube a worker: one that has least, serves fewest tubes, and has waited
   * longest; null when none is free for it.
   */
  @Nullable Poll place(String tubeId) {
    if (left == 0) {
      return null;
    }
    Poll best =
        byTube.getOrDefault(tubeId, List.of()).stream()
            .filter(poll -> has(poll) < poll.request.most())
            .min(
                Comparator.comparingInt(this::has)
                    .thenComparingInt(poll -> poll.tubeIds.size())
                    .thenComparingLong(poll -> poll.sequence))
            .orElse(null);
    if (best != null) {
      taken.merge(best, 1, Integer::sum);
      left--;
    }
    return best;
  }

  private int has(Poll poll) {
    return taken.getOrDefault(poll, 0);
  }

  /** What a pool has to spare. */
  record Spare(Workers workers, Poll poll, int freeWorkers, Duration idle) {
    /** Takes the worker. */
    Poll take() {
      workers.taken.merge(poll, 1, Integer::sum);
      workers.left--;
      return poll;
    }
  }

  /** What a pool has to spare for this tube; null = nothing. */
  @Nullable Spare spare(String tubeId) {
    if (left == 0) {
      return null;
    }
    for (Poll poll : byTube.getOrDefault(tubeId, List.of())) {
      if (has(poll) == 0) {
        int free =
            (int)
                polls.stream()
                    .filter(other -> other.pool().equals(poll.pool()) && has(other) == 0)
                    .count();
        return new Spare(this, poll, free, poolIdle.apply(poll.pool()));
      }
    }
    return null;
  }
}
