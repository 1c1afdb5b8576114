package io.penstock.engine.redrive;

/** Hears what redrives do, for notices and metrics. Must not block and must not throw. */
public interface RedriveListener {
  /** A step released {@code released} messages, or ended the task. */
  default void stepped(RedriveTask task, RedriveDecision decision, int released) {}

  /** A listener that keeps nothing. */
  RedriveListener NONE = new RedriveListener() {};
}
