package io.penstock.engine.shelf;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds arrivals on the shelf and departures from it to the tallies of their groups. A destination
 * that answers with ever new words gets so many groups per reason and status, and the rest is
 * counted together: a stranger cannot make the list of groups long. For one thread.
 */
public final class ShelfTally {
  /** Phrases of one destination, reason and status that get a group of their own. */
  public static final int MOST_PHRASES = 50;

  private final Map<GroupKey, Tally> tallies;
  private final Map<GroupKey, Integer> phrases = new HashMap<>();
  private final Map<GroupKey, Tally> changes = new LinkedHashMap<>();

  /**
   * Begins with the groups as they stand.
   *
   * @param standing all groups of the destinations that are about to change
   */
  public ShelfTally(Map<GroupKey, Tally> standing) {
    this.tallies = new HashMap<>(standing);
    standing.keySet().forEach(key -> phrases.merge(family(key), 1, Integer::sum));
  }

  /** One more on the shelf. */
  public void arrived(GroupKey key, Instant at, long deadLetterNo) {
    GroupKey own = tallies.containsKey(key) || hasRoom(key) ? key : key.with(GroupKey.OTHER);
    Tally before = tallies.get(own);
    put(own, before, (before == null ? new Tally(0, at, at, 0) : before).plus(at, deadLetterNo));
  }

  /** One less on the shelf: released, erased or too old. */
  public void left(GroupKey key) {
    GroupKey own = counting(key);
    Tally before = tallies.get(own);
    if (before != null) {
      put(own, before, before.minusOne());
    }
  }

  /** What is left of a group is not older than this: the oldest go first. */
  public void notBefore(GroupKey key, Instant at) {
    GroupKey own = counting(key);
    Tally before = tallies.get(own);
    if (before != null) {
      put(own, before, before.notBefore(at));
    }
  }

  /** What changed, with the new tally; one of 0 letters says that the group is empty. */
  public Map<GroupKey, Tally> changes() {
    return Map.copyOf(changes);
  }

  private GroupKey counting(GroupKey key) {
    return tallies.containsKey(key) ? key : key.with(GroupKey.OTHER);
  }

  private boolean hasRoom(GroupKey key) {
    return phrases.getOrDefault(family(key), 0) < MOST_PHRASES;
  }

  private void put(GroupKey key, @Nullable Tally before, Tally after) {
    if (before == null) {
      phrases.merge(family(key), 1, Integer::sum);
    }
    if (after.letters() <= 0) {
      tallies.remove(key);
      phrases.merge(family(key), -1, Integer::sum);
      changes.put(key, new Tally(0, after.firstAt(), after.lastAt(), after.exampleNo()));
    } else {
      tallies.put(key, after);
      changes.put(key, after);
    }
  }

  private static GroupKey family(GroupKey key) {
    return key.with("");
  }
}
