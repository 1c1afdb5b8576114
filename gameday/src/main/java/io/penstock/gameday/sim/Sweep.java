package io.penstock.gameday.sim;

import io.penstock.budget.SystemAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one seed after another, some at a time, until one breaks a promise. Used once. */
final class Sweep {
  /** Between two lines of progress: a night of eight hours fills 480 of them. */
  static final Duration TOLD_EVERY = Duration.ofMinutes(1);

  private final long first;
  private final long count;
  private final @Nullable Duration limit;
  private final int threads;
  private final Planted planted;
  private final Consumer<Outcome> progress;
  private final AtomicLong next = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong seeds = new AtomicLong();
  private final AtomicLong sends = new AtomicLong();
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong simulatedSeconds = new AtomicLong();
  private final AtomicLong toldNanos = new AtomicLong();
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
   * @param progress hears every {@link #TOLD_EVERY} how far it is
   */
  Sweep(
      long first,
      long count,
      @Nullable Duration limit,
      int threads,
      Planted planted,
      Consumer<Outcome> progress) {
    this.first = first;
    this.count = count;
    this.limit = limit;
    this.threads = threads;
    this.planted = planted;
    this.progress = progress;
  }

  /** A sweep that tells nothing on its way. */
  Sweep(long first, long count, @Nullable Duration limit, int threads, Planted planted) {
    this(first, count, limit, threads, planted, _ -> {});
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
    return soFar(began);
  }

  private synchronized Outcome soFar(long began) {
    return new Outcome(
        seeds.get(),
        sends.get(),
        commits.get(),
        Duration.ofSeconds(simulatedSeconds.get()),
        Duration.ofNanos(nanos() - began),
        failed);
  }

  /** One of the workers tells, when it is time. */
  private void tell(long began) {
    long told = toldNanos.get();
    long ran = nanos() - began;
    if (ran - told >= TOLD_EVERY.toNanos() && toldNanos.compareAndSet(told, ran)) {
      progress.accept(soFar(began));
    }
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
      tell(began);
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
