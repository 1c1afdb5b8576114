package io.penstock.engine.send;

import io.penstock.engine.host.Host;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rest of a node that is itself at fault. When attempts to several unrelated hosts end as
 * {@code ours} and nothing else comes back between them, the node claims nothing for a while: its
 * work stays where other nodes can take it. The rests grow until an attempt made after one of them
 * gets an answer; until then only a few deliveries are tried at a time. Safe for use by many
 * threads.
 */
public final class NodeRest {
  /** So many unrelated hosts are no accident of one of them. */
  static final int UNRELATED = 3;

  /** Within this time of one another. */
  static final Duration WITHIN = Duration.ofSeconds(10);

  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofSeconds(30);

  /** Deliveries tried a second after a rest. */
  static final int TRIAL = 8;

  private static final Duration TRIAL_PER = Duration.ofSeconds(1);

  /** Rests are stretched by up to this share, so that nodes with one trouble do not go in step. */
  private static final double SPREAD = 0.2;

  private final Host host;
  private final NodeListener listener;
  private final Map<String, Long> failedAt = new LinkedHashMap<>();
  private long firstFailureNanos;
  private Duration gap = Duration.ZERO;
  private long restedAtNanos;
  private long untilNanos;
  private boolean onTrial;
  private long trialsFromNanos;
  private int trialsLeft;

  /** A node that is not at fault. */
  public NodeRest(Host host, NodeListener listener) {
    this.host = host;
    this.listener = listener;
  }

  /** How long to claim nothing; zero or negative = claim. */
  public synchronized Duration left() {
    return onTrial ? Duration.ofNanos(untilNanos - host.nanoTime()) : Duration.ZERO;
  }

  /** How many deliveries a claim may take that would take so many; 0 = none just now. */
  public synchronized int most(int wanted) {
    if (!onTrial) {
      return wanted;
    }
    long now = host.nanoTime();
    if (now - trialsFromNanos >= TRIAL_PER.toNanos()) {
      trialsFromNanos = now;
      trialsLeft = TRIAL;
    }
    int most = Math.min(trialsLeft, wanted);
    trialsLeft -= most;
    return most;
  }

  /** An attempt to this host, begun then, failed by our own fault. */
  void failed(String name, long begunNanos, String detail) {
    Duration begins;
    synchronized (this) {
      long now = host.nanoTime();
      if (onTrial && begunNanos - restedAtNanos < 0) {
        return; // what was under way when the rest began says nothing new
      }
      failedAt.values().removeIf(at -> now - at > WITHIN.toNanos());
      if (failedAt.isEmpty()) {
        firstFailureNanos = now;
      }
      failedAt.put(name, now);
      if (!onTrial && failedAt.size() < UNRELATED) {
        return;
      }
      begins = begin(now);
    }
    listener.rests(begins, detail);
  }

  private Duration begin(long now) {
    Duration doubled = gap.isZero() ? FIRST : gap.multipliedBy(2);
    gap = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    double stretch = 1 + SPREAD * host.random().nextDouble();
    Duration rest = Duration.ofNanos((long) (gap.toNanos() * stretch));
    onTrial = true;
    restedAtNanos = now;
    untilNanos = now + rest.toNanos();
    trialsFromNanos = untilNanos;
    trialsLeft = TRIAL;
    failedAt.clear();
    return rest;
  }

  /** An attempt begun then came to an end that is not our fault. */
  synchronized void answered(long begunNanos) {
    if (onTrial) {
      if (begunNanos - restedAtNanos >= 0) {
        onTrial = false;
        gap = Duration.ZERO;
        failedAt.clear();
      }
    } else if (!failedAt.isEmpty() && begunNanos - firstFailureNanos >= 0) {
      failedAt.clear();
    }
  }
}
