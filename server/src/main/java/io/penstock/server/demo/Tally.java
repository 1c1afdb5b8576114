package io.penstock.server.demo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What one receiver saw. Safe for use by many threads. */
final class Tally {
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final LongAdder requests = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder failed = new LongAdder();

  void accepted(String eventId) {
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
