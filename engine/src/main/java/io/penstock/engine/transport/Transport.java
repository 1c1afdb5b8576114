package io.penstock.engine.transport;

/**
 * The way to receivers. {@code start} returns at once and never throws; the completion is called
 * exactly once, on any thread, within the attempt's deadline plus a second.
 */
public interface Transport {
  void start(Attempt attempt, Completion completion);

  /** Takes the end of one attempt. Must not block. */
  @FunctionalInterface
  interface Completion {
    void ended(AttemptResult result);
  }
}
