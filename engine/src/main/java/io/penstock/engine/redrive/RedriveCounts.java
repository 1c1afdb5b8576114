package io.penstock.engine.redrive;

/**
 * What became of the messages of a redrive so far.
 *
 * @param released put back to wait; the next six are parts of it
 * @param skipped not released, with a reason: they left the shelf otherwise, or their event is gone
 * @param waiting no attempt was spent on them yet
 * @param retrying at least one fresh attempt failed, and more are to come
 * @param delivered succeeded
 * @param dead back on the shelf
 * @param cancelled by an operator
 * @param lost from sight: redriven again by somebody else, or beyond retention
 */
public record RedriveCounts(
    long released,
    long skipped,
    long waiting,
    long retrying,
    long delivered,
    long dead,
    long cancelled,
    long lost) {
  public static final RedriveCounts NONE = new RedriveCounts(0, 0, 0, 0, 0, 0, 0, 0);

  /** Those whose fresh attempts tell something. */
  public long judged() {
    return delivered + failed();
  }

  /** A first attempt that failed counts, so that a verdict need not wait for the last one. */
  public long failed() {
    return retrying + dead;
  }

  /** Those that have not ended. */
  public long open() {
    return waiting + retrying;
  }

  public RedriveCounts released(int more) {
    return new RedriveCounts(
        released + more, skipped, waiting + more, retrying, delivered, dead, cancelled, lost);
  }

  public RedriveCounts skipped(int more) {
    return new RedriveCounts(
        released, skipped + more, waiting, retrying, delivered, dead, cancelled, lost);
  }

  /** So many were seen to have gone from one outcome to another. */
  public RedriveCounts moved(RedriveOutcome from, RedriveOutcome to, int count) {
    return with(from, -count).with(to, count);
  }

  private RedriveCounts with(RedriveOutcome outcome, int more) {
    return switch (outcome) {
      case WAITING ->
          new RedriveCounts(
              released, skipped, waiting + more, retrying, delivered, dead, cancelled, lost);
      case RETRYING ->
          new RedriveCounts(
              released, skipped, waiting, retrying + more, delivered, dead, cancelled, lost);
      case DELIVERED ->
          new RedriveCounts(
              released, skipped, waiting, retrying, delivered + more, dead, cancelled, lost);
      case DEAD ->
          new RedriveCounts(
              released, skipped, waiting, retrying, delivered, dead + more, cancelled, lost);
      case CANCELLED ->
          new RedriveCounts(
              released, skipped, waiting, retrying, delivered, dead, cancelled + more, lost);
      case LOST ->
          new RedriveCounts(
              released, skipped, waiting, retrying, delivered, dead, cancelled, lost + more);
      case SKIPPED ->
          new RedriveCounts(
              released, skipped + more, waiting, retrying, delivered, dead, cancelled, lost);
    };
  }
}
