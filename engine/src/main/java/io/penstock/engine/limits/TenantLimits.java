package io.penstock.engine.limits;

import io.penstock.engine.delivery.Reason;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All limits of one tenant.
 *
 * @param backlog of all its destinations together
 * @param deadLetters how long its shelf is kept; null = as {@link RetentionLimits} says
 * @param deadLettersByReason the same for single reasons; wins over {@code deadLetters}
 */
public record TenantLimits(
    BacklogBound backlog,
    @Nullable Duration deadLetters,
    Map<Reason, Duration> deadLettersByReason) {

  public static final TenantLimits DEFAULT = new TenantLimits(BacklogBound.NONE, null, Map.of());

  public TenantLimits {
    deadLettersByReason = Map.copyOf(deadLettersByReason);
    if (deadLetters != null) {
      RetentionLimits.check("dead_letters", deadLetters);
    }
    deadLettersByReason.forEach(
        (reason, kept) -> RetentionLimits.check("dead_letters_by_reason." + reason.word(), kept));
  }
}
