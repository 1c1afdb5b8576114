package io.penstock.gameday.bench;

import io.penstock.gameday.lab.TubeStory;
import io.penstock.gameday.load.RunLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the workers of a story wrote down, against what arrived; all times in real seconds. A
 * payload's number is the place of its arrival.
 */
final class TubeRuns {
  private static final int OK = 200;

  private final List<TubeStory.Arrival> arrivals;
  private final List<Long> arrivedNanos;
  private final Map<Integer, List<RunLog.Run>> byArrival = new HashMap<>();

  /**
   * What is to be looked at.
   *
   * @param arrivedNanos when each was meant to arrive
   * @param runs of all workers; those of other numbers are left out
   */
  TubeRuns(List<TubeStory.Arrival> arrivals, List<Long> arrivedNanos, List<RunLog.Run> runs) {
    this.arrivals = arrivals;
    this.arrivedNanos = arrivedNanos;
    for (RunLog.Run run : runs) {
      if (run.number() >= 0 && run.number() < arrivals.size()) {
        byArrival.computeIfAbsent((int) run.number(), _ -> new ArrayList<>()).add(run);
      }
    }
  }

  private List<RunLog.Run> runsOf(int arrival) {
    return byArrival.getOrDefault(arrival, List.of());
  }

  private static boolean isDone(RunLog.Run run) {
    RunLog.End end = run.end();
    return end != null && end.how().equals("complete") && end.status() == OK;
  }

  /** From the arrival of each batch that was done to the answer to its last completion. */
  List<Double> batchSeconds(TubeStory.Part part) {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < arrivals.size(); i++) {
      List<RunLog.Run> done = runsOf(i).stream().filter(TubeRuns::isDone).toList();
      if (arrivals.get(i).part().equals(part) && done.size() >= arrivals.get(i).count()) {
        long last = done.stream().mapToLong(TubeRuns::endedNanos).max().orElseThrow();
        times.add((last - arrivedNanos.get(i)) / 1e9);
      }
    }
    return times;
  }

  private static long endedNanos(RunLog.Run run) {
    RunLog.End end = run.end();
    return end == null ? run.leasedNanos() : end.endedNanos();
  }

  private static long endingNanos(RunLog.Run run) {
    RunLog.End end = run.end();
    return end == null ? run.leasedNanos() : end.endingNanos();
  }

  /** From the arrival of each job to when a worker first had it in hand. */
  List<Double> waitSeconds(TubeStory.Part part) {
    List<Double> waits = new ArrayList<>();
    for (int i = 0; i < arrivals.size(); i++) {
      Set<String> seen = new HashSet<>();
      for (RunLog.Run run : runsOf(i)) {
        if (arrivals.get(i).part().equals(part) && seen.add(run.job())) {
          waits.add((run.leasedNanos() - arrivedNanos.get(i)) / 1e9);
        }
      }
    }
    return waits;
  }

  private List<RunLog.Run> of(TubeStory.Part part) {
    return byArrival.values().stream()
        .flatMap(List::stream)
        .filter(run -> run.tube().equals(part.name()))
        .toList();
  }

  /** How long workers had jobs of this tube in hand, in all. */
  double heldSeconds(TubeStory.Part part) {
    return of(part).stream().mapToDouble(run -> endingNanos(run) - run.leasedNanos()).sum() / 1e9;
  }

  int runs(TubeStory.Part part) {
    return of(part).size();
  }

  int completed(TubeStory.Part part) {
    return (int) of(part).stream().filter(TubeRuns::isDone).count();
  }

  /** Runs that were lost while their worker was at them: by a renewal or at the end. */
  int lost(TubeStory.Part part) {
    return (int)
        of(part).stream()
            .filter(run -> run.end() != null && run.end().code().equals("lease_lost"))
            .count();
  }

  /** Jobs of this tube that workers had in hand at once. */
  int mostAtOnce(TubeStory.Part part) {
    record Edge(long nanos, int change) {}
    List<Edge> edges = new ArrayList<>();
    for (RunLog.Run run : of(part)) {
      edges.add(new Edge(run.leasedNanos(), 1));
      edges.add(new Edge(endingNanos(run), -1));
    }
    edges.sort((a, b) ->
        a.nanos() == b.nanos()
            ? Integer.compare(a.change(), b.change())
            : Long.compare(a.nanos(), b.nanos()));
    int now = 0;
    int most = 0;
    for (Edge edge : edges) {
      now += edge.change();
      most = Math.max(most, now);
    }
    return most;
  }
}
