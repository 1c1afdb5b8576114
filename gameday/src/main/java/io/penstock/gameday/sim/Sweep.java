package io.penstock.gameday.sim;

import io.penstock.budget.SystemAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Runs one seed after another, some at a time, until one breaks a promise. Used once. */
final class Sweep {
  private final long first;
  private final long count;
  private final @Nullable Duration limit;
  private final int threads;
  private final Planted planted;
  private final AtomicLong next = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong seeds = new AtomicLong();
  private final AtomicLong sends = new AtomicLong();
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong simulatedSeconds = new AtomicLong();
  private Simulation.@Nullable Result failed;

  /** How it went; {@code failed} is the failing run of the lowest seed, or null. */
  record Outcome(
      long seeds,
      long sends,
      long commits,
      Duration simulated,
      Duration took,
      Simulation.@Nullable Result failed) {}

  /**
   * A sweep over the seeds from {@code first} on.
   *
   * @param limit real time after which no new seed is begun; null = none
   */
  Sweep(long first, long count, @Nullable Duration limit, int threads, Planted planted) {
    this.first = first;
    this.count = count;
    this.limit = limit;
    this.threads = threads;
    this.planted = planted;
  }

  Outcome run() throws InterruptedException {
    long began = nanos();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofVirtual().name("sweep-" + i).start(() -> work(began)));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    return new Outcome(
        seeds.get(),
        sends.get(),
        commits.get(),
        Duration.ofSeconds(simulatedSeconds.get()),
        Duration.ofNanos(nanos() - began),
        failed);
  }

  private void work(long began) {
    while (!stopped.get()) {
      long nth = next.getAndIncrement();
      if (nth >= count || (limit != null && nanos() - began > limit.toNanos())) {
        return;
      }
      Simulation.Result result = Simulation.run(Plan.of(first + nth), planted, false);
      seeds.incrementAndGet();
      sends.addAndGet(result.sends());
      commits.addAndGet(result.commits());
      simulatedSeconds.addAndGet(result.simulated().toSeconds());
      if (result.broken() != null) {
        stopped.set(true);
        keep(result);
      }
    }
  }

  private synchronized void keep(Simulation.Result result) {
    if (failed == null || result.plan().seed() < failed.plan().seed()) {
      failed = result;
    }
  }

  @SystemAccess("how long a sweep takes is real time; no simulated world sees it")
  private static long nanos() {
    return System.nanoTime();
  }
}
