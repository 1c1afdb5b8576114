package io.penstock.engine.redrive;

import java.time.Duration;
import java.time.Instant;

/**
 * The state of a redrive that its rule reads and writes; stored with the task, in the transaction
 * that releases.
 *
 * @param cursor dead letters up to this number were released, skipped or passed over
 * @param bound the highest dead letter number of the frozen set
 * @param canaryPassed whether the canary was judged and found good
 * @param paceFrom since when the rate counts
 * @param paceReleased released of what the rate allowed since then
 * @param lookedAt when outcomes were last looked at
 * @param waitsFor the word of the last decision
 * @param explained the same as a sentence with its numbers
 */
public record RedriveProgress(
    RedriveState state,
    long cursor,
    long bound,
    RedriveCounts counts,
    boolean canaryPassed,
    Instant paceFrom,
    long paceReleased,
    Instant lookedAt,
    String waitsFor,
    String explained) {
  /** Between two looks at outcomes. */
  static final Duration LOOK_EVERY = Duration.ofMillis(250);

  /** Outcomes looked at at once: 8,000 a second, more than a node delivers. */
  static final int MOST_LOOKED = 2_000;

  public static RedriveProgress starting(long bound, Instant now) {
    return new RedriveProgress(
        RedriveState.STARTING,
        0,
        bound,
        RedriveCounts.NONE,
        false,
        now,
        0,
        Instant.EPOCH,
        "freezing",
        "its set is being frozen");
  }

  /** Whether all of the frozen set was gone through. */
  public boolean exhausted() {
    return cursor >= bound;
  }

  /** How many outcomes to look at now; 0 = not yet. */
  public int mostToLook(Instant now) {
    boolean rested = !now.isBefore(lookedAt) && now.isBefore(lookedAt.plus(LOOK_EVERY));
    return rested ? 0 : MOST_LOOKED;
  }

  public RedriveProgress looked(RedriveCounts seen, Instant now) {
    return new RedriveProgress(
        state, cursor, bound, seen, canaryPassed, paceFrom, paceReleased, now, waitsFor, explained);
  }

  RedriveProgress in(RedriveState next) {
    return new RedriveProgress(
        next,
        cursor,
        bound,
        counts,
        canaryPassed,
        paceFrom,
        paceReleased,
        lookedAt,
        waitsFor,
        explained);
  }

  RedriveProgress canaryPassed(boolean passed) {
    return new RedriveProgress(
        state,
        cursor,
        bound,
        counts,
        passed,
        paceFrom,
        paceReleased,
        lookedAt,
        waitsFor,
        explained);
  }

  RedriveProgress paced(Instant from, long used) {
    return new RedriveProgress(
        state, cursor, bound, counts, canaryPassed, from, used, lookedAt, waitsFor, explained);
  }

  RedriveProgress released(long to, int more, int left) {
    return new RedriveProgress(
        state,
        to,
        bound,
        counts.released(more).skipped(left),
        canaryPassed,
        paceFrom,
        paceReleased + more,
        lookedAt,
        waitsFor,
        explained);
  }

  RedriveProgress explained(String word, String sentence) {
    return new RedriveProgress(
        state,
        cursor,
        bound,
        counts,
        canaryPassed,
        paceFrom,
        paceReleased,
        lookedAt,
        word,
        sentence);
  }
}
