package io.penstock.engine.tube;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A worker that waits for jobs. Guarded by the leaser's monitor, but for what never changes. */
final class Poll {
  final LeaseRequest request;
  final Set<String> tubeIds;
  final long sequence;
  final long beganNanos;
  private final Reply<List<LeasedJob>> reply;

  Poll(LeaseRequest request, Reply<List<LeasedJob>> reply, long sequence, long beganNanos) {
    this.request = request;
    this.tubeIds = request.tubes().stream().map(Tube::id).collect(Collectors.toUnmodifiableSet());
    this.reply = reply;
    this.sequence = sequence;
    this.beganNanos = beganNanos;
  }

  /** The pool that the worker named; workers that name their tubes are one without a name. */
  String pool() {
    return request.poolId() == null ? "" : request.poolId();
  }

  /** Nanoseconds until it wants an answer; 0 or less = now. */
  long leftNanos(long nowNanos) {
    return request.patience().toNanos() - (nowNanos - beganNanos);
  }

  void answer(List<LeasedJob> jobs) {
    reply.answer(jobs);
  }
}
