package io.penstock.engine.ledger;

import java.time.Instant;
import java.util.List;

/** The decisions inside one ending of jobs: those of a settle, made from leases read in it. */
public interface JobRules extends SettleRules {

  /**
   * How the lease at this place of the request ends, now that it is known what it holds and what it
   * was charged.
   */
  Settlement settlement(Instant now, HeldJob held, int place);

  /** What the settlements that applied add to the counts of their tubes, one per tube. */
  List<TubeCount> counts(List<Settlement> applied);

  /** Those of the settlements that applied which were complete runs of an item, in their order. */
  List<CompleteRun> completeRuns(List<Settlement> applied);
}
