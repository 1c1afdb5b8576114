package io.penstock.server.demo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What one receiver saw. Safe for use by many threads. */
final class Tally {
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final LongAccumulator firstNanos = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAdder requests = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** A 2xx was answered for this event at {@code nanos}. */
  void accepted(String eventId, long nanos) {
    firstNanos.accumulate(nanos);
    requests.increment();
    if (!accepted.add(eventId)) {
      repeated.increment();
    }
  }

  void throttled() {
    requests.increment();
    throttled.increment();
  }

  void failed() {
    requests.increment();
    failed.increment();
  }

  /** When the first 2xx was answered; Long.MAX_VALUE when none was. */
  long firstNanos() {
    return firstNanos.get();
  }

  /** Whether a 2xx was answered for this event. */
  boolean has(String eventId) {
    return accepted.contains(eventId);
  }

  long delivered() {
    return accepted.size();
  }

  long requests() {
    return requests.sum();
  }

  long repeats() {
    return repeated.sum();
  }

  long throttles() {
    return throttled.sum();
  }

  long failures() {
    return failed.sum();
  }
}
