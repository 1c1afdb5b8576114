package io.penstock.engine.observe;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.history.Sighting;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import java.time.Duration;
import java.util.List;

/**
 * What a node tells about itself, for metrics and logs. Called on the hot path: must not block, and
 * must not throw. All methods may be called by many threads.
 */
public interface NodeListener {

  /** A claim of {@code asked} destinations came back after {@code took}. */
  default void claimed(int asked, Claim claim, Duration took) {}

  /** An attempt is on its way. */
  default void sent(Leased delivery) {}

  /** Outcomes were booked. */
  default void settled(Settled settled, Duration took) {}

  /** Answers were booked: what their budgets look like now, one per destination. */
  default void seen(List<Sighting> sightings) {}

  /** Workers that are not ours took permits of a destination. */
  default void permitsTaken(String destinationId, int count) {}

  /** The request of a permit came to this, the word of an outcome class. */
  default void permitEnded(String destinationId, String outcome) {}

  /** Something claimed was not sent and is handed back. */
  default void handedBack(Settlement settlement) {}

  /** Leases had run out. */
  default void leasesLost(int count) {}

  /** Workers were leased so many jobs by one claim of so many tubes, which took so long. */
  default void jobsLeased(int jobs, int tubes, Duration took) {}

  /** Jobs were ended, or found lost, in one transaction. */
  default void jobsEnded(int booked, int lost, Duration took) {}

  /** Leases of jobs were renewed, or found lost. */
  default void jobsRenewed(int renewed, int lost) {}

  /** A full round of the walk ended. */
  default void walked(int destinations, Duration took) {}

  /**
   * Attempts to several unrelated hosts failed by this node's own fault, the last by {@code
   * detail}: it claims nothing for so long.
   */
  default void rests(Duration howLong, String detail) {}

  /** A loop could not reach the ledger; it backs off. */
  default void ledgerFailed(String loop, RuntimeException failure) {}

  /** A listener that keeps nothing. */
  NodeListener NONE = new NodeListener() {};
}
