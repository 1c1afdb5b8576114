package io.penstock.push;

import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.Transport;
import io.penstock.push.outbound.OutboundClient;
import io.penstock.push.signing.Keyring;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * Sends deliveries as signed HTTP requests, each on a virtual thread of its own. Safe for use by
 * many threads.
 */
public final class HttpTransport implements Transport {
  /** How long an attempt that its deadline cannot end is waited for before it is given up. */
  static final Duration GRACE = Duration.ofMillis(500);

  private final OutboundClient client;
  private final Keyring keyring;
  private final ExecutorService threads;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanos;

  /**
   * @param threads starts a virtual thread per task; not closed here
   * @param timer fires at deadlines; not closed here
   * @param nanos a monotonic clock
   */
  public HttpTransport(
      OutboundClient client,
      Keyring keyring,
      ExecutorService threads,
      ScheduledExecutorService timer,
      LongSupplier nanos) {
    this.client = client;
    this.keyring = keyring;
    this.threads = threads;
    this.timer = timer;
    this.nanos = nanos;
  }

  @Override
  public void start(Attempt attempt, Completion completion) {
    AttemptRun run = new AttemptRun(attempt, completion, client, keyring, timer, nanos);
    try {
      threads.execute(run);
    } catch (RejectedExecutionException _) {
      run.refused();
    }
  }
}
