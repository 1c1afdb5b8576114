package io.penstock.engine.recurring;

/** Hears what schedules do, for metrics. Must not block and must not throw. */
public interface FiringListener {
  /** Committed: a schedule was looked after. */
  void looked(FiringPlan.Done done);

  /** A listener that keeps nothing. */
  FiringListener NONE = done -> {};
}
