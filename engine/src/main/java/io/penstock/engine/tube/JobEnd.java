package io.penstock.engine.tube;

import io.penstock.budget.Outcome;
import io.penstock.engine.ledger.Freshness;
import java.util.List;

/** How a worker, or its silence, ends a job. */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public sealed interface JobEnd {

  /**
   * It ended well.
   *
   * @param yield how much it brought; -1 = the worker did not say
   * @param noOp whether there was nothing to do
   * @param partial whether the worker says that it brought only a part
   * @param artifacts what it brought, by name, each as {@link Freshness#ARTIFACT}
   * @param report what the worker said, kept with the attempt; at most 4 KiB
   */
  record Completed(long yield, boolean noOp, boolean partial, List<String> artifacts, byte[] report)
      implements JobEnd {
    /** Whole, without artifacts. */
    public Completed(long yield, boolean noOp, byte[] report) {
      this(yield, noOp, false, List.of(), report);
    }
  }

  /** It failed; the outcome decides what follows, as for any attempt. */
  record Failed(Outcome outcome, byte[] report) implements JobEnd {}

  /** It is handed back: its lane, its place and its attempts stay as they were. */
  record Released() implements JobEnd {}

  /** Its lease ran out. */
  record Lost() implements JobEnd {}
}
