package io.penstock.engine.redrive;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A redrive as it is stored.
 *
 * @param matched messages of the frozen set; null = still being counted
 * @param startedBy who started it, as the audit names them
 * @param reason why, in their words
 */
public record RedriveTask(
    RedriveKey key,
    String tenantId,
    RedriveFilter filter,
    RedriveSettings settings,
    RedriveProgress progress,
    @Nullable Long matched,
    String startedBy,
    String reason,
    Instant startedAt,
    @Nullable Instant endedAt) {

  public String destinationId() {
    return filter.destinationId();
  }

  /** What the audit calls it: it stands there beside the deliveries of its destination. */
  public String subject() {
    return destinationId() + "/" + key.id();
  }

  /** The same after a step; the first progress that is no longer active ends it, once. */
  public RedriveTask with(RedriveProgress next, Instant now) {
    Instant ended = next.state().active() ? null : endedAt == null ? now : endedAt;
    return new RedriveTask(
        key, tenantId, filter, settings, next, matched, startedBy, reason, startedAt, ended);
  }

  /** The same, with its frozen set counted. */
  public RedriveTask withMatched(long messages) {
    return new RedriveTask(
        key, tenantId, filter, settings, progress, messages, startedBy, reason, startedAt, endedAt);
  }
}
