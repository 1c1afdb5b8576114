package io.penstock.engine.tube;

import io.penstock.engine.limits.TubeLimits.EmptyWhen;

/**
 * Which runs leave their item fresh: those that ended well, whole, and not empty-handed by the
 * tube's own rule. Everything else never keeps a job from being done again. Pure.
 */
final class Completeness {
  private Completeness() {}

  static boolean of(JobEnd end, EmptyWhen emptyWhen) {
    return switch (end) {
      case JobEnd.Completed done -> !done.partial() && !isEmpty(done, emptyWhen);
      case JobEnd.Failed _, JobEnd.Released _, JobEnd.Lost _ -> false;
    };
  }

  /** A worker that does not say what it brought is believed to have brought something. */
  private static boolean isEmpty(JobEnd.Completed done, EmptyWhen emptyWhen) {
    return switch (emptyWhen) {
      case NO_YIELD -> done.noOp() || done.yield() == 0;
      case NO_OP -> done.noOp();
    };
  }
}
