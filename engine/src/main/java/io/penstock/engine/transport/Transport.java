package io.penstock.engine.transport;

/**
 * The way to receivers. {@code start} returns at once and never throws. Then the attempt's
 * departure is asked, before anything is sent; unless it says no, the completion is called exactly
 * once, on any thread, within the attempt's deadline plus a second.
 */
public interface Transport {
  void start(Attempt attempt, Completion completion);

  /** Takes the end of one attempt. Must not block. */
  @FunctionalInterface
  interface Completion {
    void ended(AttemptResult result);
  }
}
