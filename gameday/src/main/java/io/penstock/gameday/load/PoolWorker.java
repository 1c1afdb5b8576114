package io.penstock.gameday.load;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A worker as people write them: leases one job at a time, is at it for as long as its payload says
 * ({@code {"seconds":0.5,"number":7}}), renews in the background, completes. {@link #run} is for
 * one thread; {@link #stop} for any.
 */
public final class PoolWorker {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Rest after a call that nobody answered. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Calls of an end, until somebody answers. */
  private static final int MOST_CALLS = 100;

  private static final int WAIT_SECONDS = 2;
  private static final int LOST = 409;

  private final URI api;
  private final String key;
  private final byte[] poll;
  private final LongSupplier nanoClock;
  private final Thread renewer;
  private volatile boolean stopped;
  private volatile @Nullable Held held;
  private volatile @Nullable Thread working;

  /** A job in hand. */
  private static final class Held {
    final RunLog.Run run;
    final long renewNanos;
    volatile boolean lost;

    Held(RunLog.Run run, long renewNanos) {
      this.run = run;
      this.renewNanos = renewNanos;
    }

    String path(String action) {
      return "/v1/tubes/%s/jobs/%s/%s".formatted(run.tube(), run.job(), action);
    }

    byte[] body(String more) {
      return bytes("{\"lease_no\":%d%s}".formatted(run.leaseNo(), more));
    }
  }

  public PoolWorker(URI api, String key, String pool, String name, LongSupplier nanoClock) {
    this.api = api;
    this.key = key;
    this.nanoClock = nanoClock;
    this.poll =
        bytes(
            "{\"worker\":\"%s\",\"pool\":\"%s\",\"most\":1,\"wait_seconds\":%d}"
                .formatted(name, pool, WAIT_SECONDS));
    this.renewer = Thread.ofPlatform().daemon().name("renew").unstarted(this::renew);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Works until it is stopped; runs that were completed. */
  public long run(RunLog log) {
    working = Thread.currentThread();
    renewer.start();
    long completed = 0;
    try (HttpConnection connection = new HttpConnection(api, key)) {
      while (!stopped) {
        try {
          completed += leaseAndWork(connection, log);
        } catch (IOException nobodyAnswers) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
    return completed;
  }

  /** Hands back what it has in hand, and works no more. */
  public void stop() {
    stopped = true;
    LockSupport.unpark(working);
    LockSupport.unpark(renewer);
  }

  private long leaseAndWork(HttpConnection connection, RunLog log) throws IOException {
    HttpConnection.Response response = connection.post("/v1/jobs/lease", poll);
    long now = nanoClock.getAsLong();
    if (response.status() != 200) {
      throw new IOException("the API answered " + response.status());
    }
    JsonNode answer = JSON.readTree(response.text());
    long completed = 0;
    for (JsonNode job : answer.path("jobs")) {
      JsonNode payload = job.path("payload");
      RunLog.Run run =
          new RunLog.Run(
              job.path("tube").asString(""),
              job.path("job").asString(""),
              job.path("lease_no").asLong(),
              payload.path("number").asLong(),
              now,
              null);
      log.leased(run);
      Held mine = new Held(run, (long) (answer.path("renew_every_seconds").asDouble() * 1e9));
      completed += work(connection, log, mine, payload) ? 1 : 0;
    }
    return completed;
  }

  private boolean work(HttpConnection connection, RunLog log, Held job, JsonNode payload) {
    long until = job.run.leasedNanos() + (long) (payload.path("seconds").asDouble() * 1e9);
    held = job;
    LockSupport.unpark(renewer);
    long left = until - nanoClock.getAsLong();
    while (left > 0 && !stopped && !job.lost) {
      LockSupport.parkNanos(left);
      left = until - nanoClock.getAsLong();
    }
    held = null;
    long ending = nanoClock.getAsLong();
    if (job.lost) {
      log.ended(job.run, new RunLog.End("lost", ending, ending, LOST, "lease_lost"));
      return false;
    }
    boolean whole = left <= 0;
    String more = payload.path("no_op").asBoolean() ? ",\"no_op\":true" : ",\"yield\":1";
    String how = whole ? "complete" : "release";
    RunLog.End end = end(connection, job, how, whole ? more : "", ending);
    log.ended(job.run, end);
    return whole && end.status() == 200;
  }

  private RunLog.End end(
      HttpConnection connection, Held job, String how, String more, long ending) {
    for (int call = 0; call < MOST_CALLS; call++) {
      try {
        HttpConnection.Response answer = connection.post(job.path(how), job.body(more));
        String code =
            answer.status() == 200 ? "-" : JSON.readTree(answer.text()).path("code").asString("-");
        return new RunLog.End(how, ending, nanoClock.getAsLong(), answer.status(), code);
      } catch (IOException nobodyAnswers) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    return new RunLog.End(how, ending, nanoClock.getAsLong(), 0, "-");
  }

  private void renew() {
    try (HttpConnection connection = new HttpConnection(api, key)) {
      while (!stopped) {
        Held job = held;
        if (job == null) {
          LockSupport.park(this);
        } else {
          renew(connection, job);
        }
      }
    }
  }

  private void renew(HttpConnection connection, Held job) {
    long next = nanoClock.getAsLong() + job.renewNanos;
    while (held == job && !stopped && next - nanoClock.getAsLong() > 0) {
      LockSupport.parkNanos(next - nanoClock.getAsLong());
    }
    if (held != job || stopped) {
      return;
    }
    try {
      job.lost = connection.post(job.path("renew"), job.body("")).status() == LOST;
    } catch (IOException nobodyAnswers) {
      return; // the next one may come through
    }
    if (job.lost) {
      LockSupport.unpark(working);
    }
  }
}
