package io.penstock.gameday.load;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Workers that lease jobs and complete them at once, from as many threads as there are connections.
 * With a rate, lease n is asked for at its time or as soon after as a connection is free, and its
 * latency counts from its time.
 */
public final class WorkerLoad {
  private static final long LONGEST_MICROS = 60_000_000;
  private static final int DIGITS = 3;
  private static final Pattern JOB =
      Pattern.compile("\"tube\":\"([^\"]+)\",\"job\":\"([0-9a-f-]{36})\",\"lease_no\":(\\d+)");

  private final URI api;
  private final String key;
  private final Plan plan;
  private final LongSupplier nanoClock;
  private final AtomicLong nextLease = new AtomicLong();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Histogram leases = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
  private final Histogram ends = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);

  /**
   * What to do.
   *
   * @param tubes their ids, as a JSON list without brackets
   * @param most jobs per lease; they are completed in one call
   * @param jobs to complete, then it ends
   * @param perSecond leases per second; 0 = as fast as it goes
   */
  public record Plan(
      String tubes, int most, int connections, long jobs, double perSecond, Duration patience) {}

  /** What came of it; latencies in microseconds. */
  public record Result(
      long completed, long failed, long tookNanos, Histogram leases, Histogram ends) {}

  public WorkerLoad(URI api, String key, Plan plan, LongSupplier nanoClock) {
    this.api = api;
    this.key = key;
    this.plan = plan;
    this.nanoClock = nanoClock;
  }

  /** Works until the jobs are done, or patience ends. */
  public Result run() throws InterruptedException {
    long start = nanoClock.getAsLong();
    CountDownLatch done = new CountDownLatch(plan.connections());
    for (int i = 0; i < plan.connections(); i++) {
      String name = "bench-" + i;
      Thread.ofPlatform()
          .name(name)
          .start(() -> {
            try (HttpConnection connection = new HttpConnection(api, key)) {
              work(connection, name, start);
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
    return new Result(completed.get(), failed.get(), nanoClock.getAsLong() - start, leases, ends);
  }

  private void work(HttpConnection connection, String name, long start) {
    byte[] lease =
        "{\"worker\":\"%s\",\"tubes\":[%s],\"most\":%d,\"wait_seconds\":1}"
            .formatted(name, plan.tubes(), plan.most())
            .getBytes(StandardCharsets.UTF_8);
    long deadline = start + plan.patience().toNanos();
    while (completed.get() + failed.get() < plan.jobs() && nanoClock.getAsLong() < deadline) {
      long began = nanoClock.getAsLong();
      if (plan.perSecond() > 0) {
        long nth = nextLease.getAndIncrement();
        if (nth >= plan.jobs()) {
          return;
        }
        began = start + Math.round(nth / plan.perSecond() * 1e9);
        awaitTime(began);
      }
      try {
        cycle(connection, lease, began);
      } catch (IOException e) {
        failed.incrementAndGet();
      }
    }
  }

  private void awaitTime(long at) {
    for (long left = at - nanoClock.getAsLong(); left > 0; left = at - nanoClock.getAsLong()) {
      LockSupport.parkNanos(left);
    }
  }

  private void cycle(HttpConnection connection, byte[] lease, long began) throws IOException {
    HttpConnection.Response leased = connection.post("/v1/jobs/lease", lease);
    Matcher jobs = JOB.matcher(leased.text());
    StringBuilder body = new StringBuilder();
    int count = 0;
    while (jobs.find()) {
      body.append(count++ == 0 ? "" : ",")
          .append(
              "{\"tube\":\"%s\",\"job\":\"%s\",\"lease_no\":%s,\"yield\":1}"
                  .formatted(jobs.group(1), jobs.group(2), jobs.group(3)));
    }
    if (count == 0) {
      return;
    }
    long now = nanoClock.getAsLong();
    leases.recordValue(Math.clamp((now - began) / 1_000, 0, LONGEST_MICROS));
    HttpConnection.Response ended =
        connection.post(
            "/v1/jobs/complete", ("{\"jobs\":[" + body + "]}").getBytes(StandardCharsets.UTF_8));
    ends.recordValue(Math.clamp((nanoClock.getAsLong() - now) / 1_000, 0, LONGEST_MICROS));
    if (ended.status() == 200) {
      completed.addAndGet(count);
    } else {
      failed.addAndGet(count);
    }
  }
}
