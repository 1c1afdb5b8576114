package io.penstock.budget.work;

/** Whether a pool of workers can keep what was promised of it, with the numbers. All in workers. */
public sealed interface Commitment {

  /** There are workers enough. */
  record Covered(int workers, double allotted, double arriving) implements Commitment {}

  /** There is something to do and nobody to do it. */
  record Unserved(double allotted, double arriving) implements Commitment {}

  /** More arrives than they can do: the line grows. */
  record Overloaded(int workers, double arriving) implements Commitment {}

  /** The allotments come to more than there are: who uses all of theirs waits for others. */
  record Overallotted(int workers, double allotted) implements Commitment {}

  /** Whether more is promised, or arrives, than there is. */
  default boolean isOver() {
    return !(this instanceof Covered);
  }

  /** In one sentence. */
  default String sentence() {
    return switch (this) {
      case Covered c ->
          "%d workers cover the allotments (%.2f workers) and what arrives (%.2f)"
              .formatted(c.workers(), c.allotted(), c.arriving());
      case Unserved u ->
          "no worker is there, the allotments come to %.2f workers and %.2f arrive: start workers"
              .formatted(u.allotted(), u.arriving());
      case Overloaded o ->
          "%.2f workers' worth of jobs arrives and %d are there: the line grows; add workers"
              .formatted(o.arriving(), o.workers());
      case Overallotted o ->
          ("the allotments come to %.2f workers and %d are there: tubes that use all of theirs wait"
                  + " for each other; add workers or lower allotments")
              .formatted(o.allotted(), o.workers());
    };
  }
}
