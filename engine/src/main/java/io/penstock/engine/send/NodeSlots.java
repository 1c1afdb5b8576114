package io.penstock.engine.send;

/**
 * How much this node may have in flight at once. A claim reserves its room before it asks the
 * ledger, so that several claims at once stay within the limit; what it leased is in flight from
 * then on and given back when the delivery was settled, the rest at once.
 *
 * <p>A tenth of the slots is kept for destinations that have nothing in flight, one slot each: so
 * destinations that hang cannot fill a node, and a healthy one finds a slot. Safe for use by many
 * threads.
 */
public final class NodeSlots {
  /** One slot in so many is kept. */
  private static final int KEPT_ONE_IN = 10;

  private final int limit;
  private final int kept;
  private final int shards;
  private int reserved;
  private int inFlight;
  private boolean nothingFree;
  private boolean nothingForAnyone;

  /**
   * What of the free slots a claim may use.
   *
   * @param all slots in all
   * @param anyone how many of them may go to a destination that has something in flight; the rest
   *     is kept for the others
   */
  public record Share(int all, int anyone) {}

  /**
   * All slots free.
   *
   * @param limit 1 to 100,000
   * @param shards whose claimers take from them; each takes its share, so that none waits for the
   *     claim of another
   */
  public NodeSlots(int limit, int shards) {
    if (limit < 1 || limit > 100_000) {
      throw new IllegalArgumentException(
          "node slots must be 1 to 100,000 deliveries in flight, got " + limit);
    }
    this.limit = limit;
    this.kept = limit == 1 ? 0 : Math.ceilDiv(limit, KEPT_ONE_IN);
    this.shards = shards;
  }

  public int limit() {
    return limit;
  }

  /** Deliveries in flight; what claims under way may come to is not among them. */
  public synchronized int inFlight() {
    return inFlight;
  }

  /** The room that {@link #take} would find. Who finds none is woken when there is some. */
  public synchronized Share look() {
    Share share = share(limit);
    nothingFree |= share.all == 0;
    nothingForAnyone |= share.anyone == 0;
    return share;
  }

  /**
   * Reserves room for at most {@code most} deliveries; the caller says what of it came in flight
   * and gives back what it does not use.
   */
  public synchronized Share take(int most) {
    look();
    Share share = share(most);
    reserved += share.all;
    return share;
  }

  /** So many of what a claim had reserved are in flight now. */
  public synchronized void leased(int count) {
    reserved -= count;
    inFlight += count;
  }

  private Share share(int most) {
    int all = Math.min(most, Math.ceilDiv(limit - taken(), shards));
    return new Share(all, Math.clamp(limit - kept - taken(), 0, all));
  }

  private int taken() {
    return reserved + inFlight;
  }

  /** So many have been settled; true when somebody who found no room should look again. */
  public synchronized boolean giveBack(int count) {
    inFlight -= count;
    return wakes();
  }

  /** A claim did not use so much of what it had reserved; true as for {@link #giveBack}. */
  public synchronized boolean giveBackUnused(int count) {
    reserved -= count;
    return wakes();
  }

  private boolean wakes() {
    int taken = taken();
    boolean wake = (nothingFree && taken < limit) || (nothingForAnyone && taken < limit - kept);
    if (wake) {
      nothingFree = false;
      nothingForAnyone = false;
    }
    return wake;
  }
}
