package io.penstock.budget.work;

import java.time.Duration;

/**
 * The times that the rules of worker-seconds hold by (control.md, section 5): not limits that
 * anybody sets for a tube, and the same for all. They are in one place so that a story of hours can
 * be played in minutes: {@link #faster} divides them all.
 *
 * @param banked a tube banks so much of its allotment unless its capacity is given
 * @param debt debt goes down to so much allotment, and to what one job was expected to take
 * @param expected how long a job takes, as long as nobody said and nothing is known
 * @param tooShort a run below this did nothing, when jobs are expected to take longer
 * @param lendable only jobs that are expected to take at most this may borrow
 * @param idle a pool that has leased nothing for so long has something to lend
 */
public record WorkTimes(
    Duration banked,
    Duration debt,
    Duration expected,
    Duration tooShort,
    Duration lendable,
    Duration idle) {

  /** As they are. */
  public static final WorkTimes DEFAULT =
      new WorkTimes(
          Duration.ofSeconds(900),
          Duration.ofSeconds(3_600),
          Duration.ofSeconds(60),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));

  /** All of them divided. */
  public WorkTimes faster(int divisor) {
    return new WorkTimes(
        banked.dividedBy(divisor),
        debt.dividedBy(divisor),
        expected.dividedBy(divisor),
        tooShort.dividedBy(divisor),
        lendable.dividedBy(divisor),
        idle.dividedBy(divisor));
  }
}
