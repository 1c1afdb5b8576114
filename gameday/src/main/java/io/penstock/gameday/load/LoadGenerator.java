package io.penstock.gameday.load;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Posts what a plan says from as many threads as it has connections. With a schedule, post n goes
 * at its time or as soon after as a connection is free, and its latency counts from its time.
 * Without one, posting is held back only while more than the plan's outstanding events are on their
 * way.
 */
public final class LoadGenerator {
  /** Microseconds; longer ones are recorded as this. */
  private static final long LONGEST_MICROS = 60_000_000;

  private static final int DIGITS = 3;

  /** Between two looks at the receiver's count, and after a post that failed. */
  private static final long PAUSE_NANOS = 5_000_000;

  private static final Pattern EVENT_ID = Pattern.compile("\"event_id\":\"([0-9a-f-]{36})\"");
  private static final Pattern COUNT = Pattern.compile("\"webhooks\":(\\d+)");

  private final Plan plan;
  private final URI api;
  private final String key;
  private final @Nullable URI receiver;
  private final LongSupplier nanoClock;
  private final Payloads payloads;
  private final AtomicLong nextPost = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private final Histogram micros = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
  private volatile boolean stopped;

  /**
   * @param receiver whose {@code /stats} tell what arrived; wanted only without a schedule
   */
  public LoadGenerator(
      Plan plan, URI api, String key, @Nullable URI receiver, LongSupplier nanoClock) {
    this.plan = plan;
    this.api = api;
    this.key = key;
    this.receiver = receiver;
    this.nanoClock = nanoClock;
    this.payloads = new Payloads(plan);
  }

  /**
   * What came of it.
   *
   * @param accepted events answered with a 2xx
   * @param refused events answered otherwise
   * @param failed events whose post was not answered: they may be in or not
   * @param micros of posts that were accepted whole
   */
  public record Result(
      long accepted, long refused, long failed, long tookNanos, Histogram micros) {}

  /** Posts everything and returns when all is answered. */
  public Result run(Path logFile) throws IOException, InterruptedException {
    long start = nanoClock.getAsLong();
    long baseline = watchReceiver();
    CountDownLatch done = new CountDownLatch(plan.connections());
    try (PostLog log = new PostLog(logFile)) {
      for (int i = 0; i < plan.connections(); i++) {
        Thread.ofPlatform()
            .name("load-" + i)
            .start(() -> {
              try (HttpConnection connection = new HttpConnection(api, key)) {
                post(connection, log, start, baseline);
              } finally {
                done.countDown();
              }
            });
      }
      done.await();
    }
    stopped = true;
    long took = nanoClock.getAsLong() - start;
    return new Result(accepted.get(), refused.get(), failed.get(), took, micros);
  }

  /** Ends the run after the posts that are on their way. */
  public void stop() {
    stopped = true;
  }

  private void post(HttpConnection connection, PostLog log, long start, long baseline) {
    long deadline = start + plan.patience().toNanos();
    for (long n = nextPost.getAndIncrement();
        n < plan.posts() && !stopped && nanoClock.getAsLong() < deadline;
        n = nextPost.getAndIncrement()) {
      long intended = start + plan.intendedNanos(n);
      byte[] body = payloads.body(n);
      awaitTurn(intended, baseline, deadline);
      long began = plan.perSecond() == 0 ? nanoClock.getAsLong() : intended;
      try {
        book(connection.post(Payloads.path(plan), body), began, log);
      } catch (IOException e) {
        failed.addAndGet(plan.batch());
        LockSupport.parkNanos(PAUSE_NANOS); // the server is away; hammering does not bring it back
      }
    }
  }

  private void awaitTurn(long intended, long baseline, long deadline) {
    if (plan.perSecond() > 0) {
      for (long left = intended - nanoClock.getAsLong();
          left > 0 && !stopped;
          left = intended - nanoClock.getAsLong()) {
        LockSupport.parkNanos(left);
      }
      return;
    }
    while (accepted.get() - (received.get() - baseline) > plan.outstanding()
        && !stopped
        && nanoClock.getAsLong() < deadline) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void book(HttpConnection.Response response, long began, PostLog log) throws IOException {
    long now = nanoClock.getAsLong();
    List<String> ids = new ArrayList<>(plan.batch());
    if (response.status() / 100 == 2) {
      Matcher matcher = EVENT_ID.matcher(response.text());
      while (matcher.find()) {
        ids.add(matcher.group(1));
      }
      log.add(now, ids);
      accepted.addAndGet(ids.size());
    }
    if (ids.size() == plan.batch()) {
      micros.recordValue(Math.min(LONGEST_MICROS, Math.max(0, (now - began) / 1_000)));
    } else {
      refused.addAndGet(plan.batch() - ids.size());
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Follows the receiver's count in the background; what it was at first. */
  private long watchReceiver() throws IOException {
    URI uri = receiver;
    if (uri == null || plan.perSecond() > 0) {
      return 0;
    }
    HttpConnection connection = new HttpConnection(uri, "");
    received.set(count(connection));
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (connection) {
            while (!stopped) {
              received.set(count(connection));
              LockSupport.parkNanos(PAUSE_NANOS);
            }
          } catch (IOException e) {
            stopped = true; // without the receiver there is nothing to measure
          }
        });
    return received.get();
  }

  private static long count(HttpConnection connection) throws IOException {
    Matcher matcher = COUNT.matcher(connection.get("/stats").text());
    if (!matcher.find()) {
      throw new IOException("the receiver tells no count");
    }
    return Long.parseLong(matcher.group(1));
  }
}
