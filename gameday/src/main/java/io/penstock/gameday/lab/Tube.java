package io.penstock.gameday.lab;

import io.penstock.budget.work.WorkBalance;
import io.penstock.budget.work.WorkSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** One tube of a simulated pool: what waits in it, its account, and what was seen. */
final class Tube {
  /** A job that waits: when it came, and which batch it belongs to. */
  record Job(long arrived, int batch, double seconds) {}

  final String name;
  final WorkSettings settings;
  final boolean gated;
  final Deque<Job> waiting = new ArrayDeque<>();
  final List<Double> waits = new ArrayList<>();
  final List<Double> batchTimes = new ArrayList<>();
  private final List<Integer> openOfBatch = new ArrayList<>();
  private final List<Long> batchArrived = new ArrayList<>();
  WorkBalance balance;
  int running;
  int mostRunning;
  double workedSeconds;

  /**
   * A tube.
   *
   * @param gated false serves whatever is there, as a counter of requests that never runs dry does
   */
  Tube(String name, WorkSettings settings, boolean gated, Instant start) {
    this.name = name;
    this.settings = settings;
    this.gated = gated;
    balance = WorkBalance.initial(settings, start);
  }

  /** {@code count} jobs of this length arrive together. */
  void arrive(long now, int count, double seconds) {
    int batch = openOfBatch.size();
    openOfBatch.add(count);
    batchArrived.add(now);
    for (int i = 0; i < count; i++) {
      waiting.add(new Job(now, batch, seconds));
    }
  }

  boolean mayGo(Instant now) {
    balance = balance.accrue(settings, now);
    return !waiting.isEmpty() && (!gated || balance.admits(settings, running) > 0);
  }

  boolean mayBorrow(int freeWorkers, Duration idle) {
    return !waiting.isEmpty() && balance.mayBorrow(settings, freeWorkers, idle);
  }

  void started(Job job, long now) {
    running++;
    mostRunning = Math.max(mostRunning, running);
    waits.add((double) (now - job.arrived()) / Timeline.SECOND);
  }

  void ended(Job job, long now) {
    running--;
    int left = openOfBatch.get(job.batch()) - 1;
    openOfBatch.set(job.batch(), left);
    if (left == 0) {
      batchTimes.add((double) (now - batchArrived.get(job.batch())) / Timeline.SECOND);
    }
  }
}
