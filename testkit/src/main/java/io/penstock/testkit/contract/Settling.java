package io.penstock.testkit.contract;

import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.ledger.Settlement.AttemptRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Settlements as tests make them. */
final class Settling {
  static final byte[] HEAD = "it said so".getBytes(StandardCharsets.UTF_8);
  static final int STATUS = 207;

  private Settling() {}

  static Stamp stamp(Leased lease) {
    return new Stamp(0, false, lease.lane() == Lane.RETRY, lease.urgency() == Urgency.BATCH);
  }

  /** An attempt that ended, with a row about it; the rules say what becomes of the delivery. */
  static Settlement ended(Leased lease) {
    Feedback feedback =
        new Feedback.Ended(
            stamp(lease), new Outcome.Delivered(STATUS, "ok", Hint.NONE), Duration.ofMillis(12));
    AttemptRow row =
        new AttemptRow(
            lease.leaseUntil().minus(LedgerWorld.LEASE),
            12_345,
            "delivered",
            "ok",
            STATUS,
            HEAD,
            "127.0.0.1",
            LedgerWorld.NODE);
    return new Settlement(lease, feedback, row, null);
  }

  /** Nothing was sent. */
  static Settlement handedBack(Leased lease) {
    return new Settlement(lease, new Feedback.HandedBack(stamp(lease)), null, null);
  }

  /** Found unfit before it was sent. */
  static Settlement endsUnsent(Leased lease, Reason reason) {
    return new Settlement(lease, new Feedback.HandedBack(stamp(lease)), null, reason);
  }

  /** The lease ran out. */
  static Settlement lost(Leased lease) {
    return new Settlement(lease, new Feedback.LeaseLost(stamp(lease)), null, null);
  }
}
