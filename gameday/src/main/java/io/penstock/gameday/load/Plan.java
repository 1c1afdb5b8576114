package io.penstock.gameday.load;

import java.time.Duration;

/**
 * What to post.
 *
 * @param tenant whose events
 * @param destinations how many, named by the prefix and a number from 0, in turns
 * @param prefix of the destinations' ids
 * @param payloadBytes of each event
 * @param batch events per post; 1 = single posts
 * @param perSecond events per second on a fixed schedule; 0 = as fast as {@code outstanding} lets
 * @param events how many in all
 * @param connections posting at once
 * @param outstanding events accepted and not yet received at most, when there is no schedule
 * @param patience after which posting stops in any case
 */
public record Plan(
    String tenant,
    int destinations,
    String prefix,
    int payloadBytes,
    int batch,
    double perSecond,
    long events,
    int connections,
    long outstanding,
    Duration patience) {

  public Plan {
    if (destinations < 1 || batch < 1 || connections < 1 || events < 0 || perSecond < 0) {
      throw new IllegalArgumentException(
          "a plan needs at least one destination, connection and event per post");
    }
  }

  long posts() {
    return Math.ceilDiv(events, (long) batch);
  }

  /** When post number n is meant to go, from the start. */
  long intendedNanos(long post) {
    return perSecond == 0 ? 0 : (long) (post * batch / perSecond * 1e9);
  }
}
