package io.penstock.engine.shelf;

import io.penstock.engine.delivery.Reason;

/**
 * What the dead letters of a group have in common: a cause at one destination.
 *
 * @param status HTTP status of the last attempt that had one; 0 = none had
 * @param phrase the first words of the answer, as {@link Phrase} makes them
 */
public record GroupKey(
    int shard, String destinationId, String tenantId, Reason reason, int status, String phrase) {

  /** Takes those whose phrase is one too many; no answer has this phrase of itself. */
  public static final String OTHER = "(other)";

  /** The same with another phrase. */
  GroupKey with(String otherPhrase) {
    return new GroupKey(shard, destinationId, tenantId, reason, status, otherPhrase);
  }
}
