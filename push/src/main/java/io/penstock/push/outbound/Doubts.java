package io.penstock.push.outbound;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hc.core5.http.HttpHost;

/**
 * Hosts that have hung up on a connection that they had agreed to keep. For a while each of their
 * connections is looked at before it is used; otherwise every second attempt to such a receiver
 * would end with an unknown outcome. Safe for use by many threads.
 */
final class Doubts {
  /** A receiver that was mended is believed again after this. */
  private static final Duration SPAN = Duration.ofMinutes(10);

  /** Hosts remembered; the oldest doubt goes first. */
  private static final int CAPACITY = 10_000;

  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<HttpHost, Long> since =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<HttpHost, Long> eldest) {
          return size() > CAPACITY;
        }
      };

  Doubts(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void raise(HttpHost host) {
    lock.lock();
    try {
      since.put(host, nanos.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  boolean about(HttpHost host) {
    lock.lock();
    try {
      Long at = since.get(host);
      if (at != null && nanos.getAsLong() - at > SPAN.toNanos()) {
        since.remove(host);
        return false;
      }
      return at != null;
    } finally {
      lock.unlock();
    }
  }
}
