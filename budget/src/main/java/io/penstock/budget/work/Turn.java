package io.penstock.budget.work;

import java.time.Instant;
import java.util.Comparator;

/**
 * A tube that may go, in the order in which tubes are served: metered before unmetered, the one
 * that has waited longest first, and priority only between equals.
 *
 * @param metered whether it has an allotment; unmetered tubes live on the pool's slack
 * @param waitingSince when its oldest job came
 * @param priority higher goes first; 0 unless somebody set it
 */
public record Turn(boolean metered, Instant waitingSince, int priority)
    implements Comparable<Turn> {
  private static final Comparator<Turn> ORDER =
      Comparator.comparing((Turn turn) -> !turn.metered)
          .thenComparing(Turn::waitingSince)
          .thenComparing(Comparator.comparingInt(Turn::priority).reversed());

  @Override
  public int compareTo(Turn other) {
    return ORDER.compare(this, other);
  }
}
