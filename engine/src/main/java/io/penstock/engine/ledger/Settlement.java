package io.penstock.engine.ledger;

import io.penstock.budget.Feedback;
import io.penstock.budget.JobFeedback;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One lease that ends.
 *
 * @param feedback for the budget; {@link Feedback.LeaseLost} applies only if the lease has run out
 *     by the ledger's clock
 * @param attempt the attempt row; null when nothing was tried
 * @param endsAs found before sending: it must not go any more and dies with this reason; null
 *     otherwise
 * @param job what its budget is fed instead of {@code feedback} when it is a job of a tube; null =
 *     it is none
 */
public record Settlement(
    Leased lease,
    Feedback feedback,
    @Nullable AttemptRow attempt,
    @Nullable Reason endsAs,
    @Nullable JobFeedback job) {

  /** Of a delivery that is no job of a tube. */
  public Settlement(
      Leased lease, Feedback feedback, @Nullable AttemptRow attempt, @Nullable Reason endsAs) {
    this(lease, feedback, attempt, endsAs, null);
  }

  /**
   * What is written about an attempt.
   *
   * @param outcome the outcome class, lower case
   * @param detail the cause within the class
   * @param responseHead at most 4 KiB
   */
  @SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed
  public record AttemptRow(
      Instant startedAt,
      long durationMicros,
      String outcome,
      String detail,
      int status,
      byte[] responseHead,
      @Nullable String resolvedAddress,
      String node) {}
}
