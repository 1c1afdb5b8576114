package io.penstock.budget.work;

import java.time.Duration;
import java.util.Optional;

/** What allotment and capacity a tube should have, from what was measured; each with its reason. */
public sealed interface Suggestion {
  /** What is added to the measured demand, so that a line gets shorter again. */
  double HEADROOM = 1.25;

  /** Banked unless a batch wants more: so many seconds of the allotment. */
  long BANKED_SECONDS = 900;

  /** A batch of more than so many times that is meant to be metered. */
  int METERED_FROM = 3;

  /** Steps of an allotment that people can read. */
  double STEP = 0.01;

  /**
   * What was measured of a tube.
   *
   * @param jobs that arrived
   * @param over in this time
   * @param expectedSeconds how long a job takes
   * @param known whether enough jobs have shown that
   * @param batch the batch that recurs; empty = none does
   * @param mostInAMinute jobs that arrived within one minute
   */
  record Measured(
      long jobs,
      Duration over,
      double expectedSeconds,
      boolean known,
      Optional<Recurrence> batch,
      long mostInAMinute) {

    /** Workers that this keeps busy without a pause. */
    public double demand() {
      return jobs * expectedSeconds / Math.max(1, over.toSeconds());
    }
  }

  /**
   * A proposal.
   *
   * @param allotment in workers
   * @param capacity in worker-time
   */
  record Proposed(
      double allotment, String allotmentReason, Duration capacity, String capacityReason)
      implements Suggestion {}

  /** Nothing can be said yet. */
  record TooLittleKnown(String why) implements Suggestion {}

  /** The proposal for a tube of which this was measured. */
  static Suggestion of(Measured measured) {
    if (measured.jobs() == 0) {
      return new TooLittleKnown("nothing arrived within %s".formatted(words(measured.over())));
    }
    if (!measured.known()) {
      return new TooLittleKnown(
          "fewer than three of its jobs have ended: nobody knows how long one takes");
    }
    double allotment =
        Math.clamp(Math.ceil(measured.demand() * HEADROOM / STEP - 1e-9) * STEP, STEP, 10_000);
    allotment = Math.round(allotment / STEP) * STEP;
    String allotmentReason =
        "%,d jobs of %s arrived within %s: %.3f workers without a pause, and a quarter more so that a line gets shorter"
            .formatted(
                measured.jobs(),
                words(measured.expectedSeconds()),
                words(measured.over()),
                measured.demand());
    return capacity(measured, Math.round(allotment * 100) / 100.0, allotmentReason);
  }

  private static Proposed capacity(Measured measured, double allotment, String allotmentReason) {
    double banked = Math.max(1, allotment * BANKED_SECONDS);
    long jobs = measured.batch().map(Recurrence::jobs).orElse(measured.mostInAMinute());
    double work = jobs * measured.expectedSeconds();
    String what =
        measured
            .batch()
            .map(batch ->
                "a batch of %,d jobs comes every %s (seen %d times) and is %s of work"
                    .formatted(batch.jobs(), words(batch.every()), batch.seen(), words(work)))
            .orElse(
                "at most %,d jobs arrived within a minute, which is %s of work"
                    .formatted(jobs, words(work)));
    if (work <= banked) {
      return new Proposed(
          allotment,
          allotmentReason,
          whole(banked),
          "%s: it passes whole with %d s of the allotment".formatted(what, BANKED_SECONDS));
    }
    if (work <= METERED_FROM * banked) {
      return new Proposed(
          allotment,
          allotmentReason,
          whole(work),
          what + ": so much is banked that it passes whole");
    }
    return new Proposed(
        allotment,
        allotmentReason,
        whole(banked),
        "%s, over %d times %d s of the allotment: it is metered, and no more is banked"
            .formatted(what, METERED_FROM, BANKED_SECONDS));
  }

  private static Duration whole(double seconds) {
    return Duration.ofSeconds((long) Math.ceil(seconds - 1e-9));
  }

  private static String words(Duration time) {
    return words((double) time.toSeconds());
  }

  /** For instance 12 s, 90 min, 24 h. */
  private static String words(double seconds) {
    if (seconds < 10) {
      return "%.1f s".formatted(seconds);
    }
    if (seconds < 120) {
      return "%.0f s".formatted(seconds);
    }
    return seconds < 7_200
        ? "%.0f min".formatted(seconds / 60)
        : "%.1f h".formatted(seconds / 3_600);
  }
}
