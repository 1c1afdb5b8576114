package io.penstock.push.lookup;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node without DNS from a destination with a dead name. One dead name says nothing about
 * the node, and even several may just be dead; so a few unrelated failures only raise a suspicion,
 * and a name that is known to be good settles it. Safe for use by many threads.
 */
final class NodeSuspicion {
  /** Fewer unrelated failures than this within the window are those names' own. */
  private static final int UNRELATED = 3;

  /** Failures further apart than this have nothing to do with each other; also a verdict's life. */
  private static final Duration WINDOW = Duration.ofSeconds(10);

  /** Failing domains remembered; more say nothing more. */
  private static final int MOST_FAILED = 64;

  /** Good names remembered as witnesses. */
  private static final int MOST_WITNESSES = 64;

  /** What to make of a failure. */
  sealed interface Advice {
    /** The name is at fault. */
    record Name() implements Advice {}

    /** The node is. */
    record Node() implements Advice {}

    /** Ask for this good name again and report with {@link #asked}. */
    record AskAgain(String knownGood) implements Advice {}
  }

  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Long> failedAt = new HashMap<>();
  private final LinkedHashMap<String, String> witnesses = new LinkedHashMap<>();
  private boolean lastWorked;
  private @Nullable Long lastAskedAt;

  NodeSuspicion(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A name has resolved just now. */
  void resolved(String host) {
    String domain = domain(host);
    lock.lock();
    try {
      failedAt.remove(domain);
      witnesses.remove(domain);
      witnesses.put(domain, host);
      if (witnesses.size() > MOST_WITNESSES) {
        witnesses.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A name has failed just now. */
  Advice failed(String host) {
    lock.lock();
    try {
      long now = nanos.getAsLong();
      failedAt.values().removeIf(at -> now - at > WINDOW.toNanos());
      if (failedAt.size() < MOST_FAILED) {
        failedAt.put(domain(host), now);
      }
      if (failedAt.size() < UNRELATED) {
        return new Advice.Name();
      }
      if (lastAskedAt != null && now - lastAskedAt < WINDOW.toNanos()) {
        return lastWorked ? new Advice.Name() : new Advice.Node();
      }
      String witness = witness();
      return witness == null ? new Advice.Node() : new Advice.AskAgain(witness);
    } finally {
      lock.unlock();
    }
  }

  /** The good name that was asked for longest ago and has not failed itself; null when none. */
  private @Nullable String witness() {
    for (Map.Entry<String, String> witness : witnesses.entrySet()) {
      if (!failedAt.containsKey(witness.getKey())) {
        return witness.getValue();
      }
    }
    return null;
  }

  /** How asking for the witness went. */
  void asked(boolean worked) {
    lock.lock();
    try {
      lastAskedAt = nanos.getAsLong();
      lastWorked = worked;
    } finally {
      lock.unlock();
    }
  }

  /** The last two labels: names below them are likely to share their servers. */
  private static String domain(String host) {
    int last = host.lastIndexOf('.');
    int before = last <= 0 ? -1 : host.lastIndexOf('.', last - 1);
    return host.substring(before + 1);
  }
}
