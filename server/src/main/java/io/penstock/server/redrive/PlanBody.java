package io.penstock.server.redrive;

import io.penstock.engine.redrive.RedrivePlan;
import io.penstock.engine.redrive.RedriveSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a redrive would do, before it does.
 *
 * @param exact false when counting ran out of time: at least {@code matched}
 * @param estimatedSeconds the least that the rate, or the destination's ceiling, lets it take
 */
record PlanBody(
    String destinationId,
    String tenantId,
    long matched,
    boolean exact,
    @Nullable Long estimatedSeconds,
    RedriveBody.SettingsBody settings,
    List<SampleBody> sample) {

  static PlanBody of(
      String destination,
      String tenant,
      RedrivePlan plan,
      RedriveSettings settings,
      double budgetPerSecond) {
    Duration least = plan.atLeast(settings, budgetPerSecond);
    return new PlanBody(
        destination,
        tenant,
        plan.matched(),
        plan.exact(),
        least == null ? null : Math.ceilDiv(least.toMillis(), 1_000L),
        RedriveBody.SettingsBody.of(settings),
        plan.sample().stream().map(SampleBody::of).toList());
  }

  /** One message that would be released. */
  record SampleBody(
      long deadLetterNo,
      UUID eventId,
      String reason,
      @Nullable String outcome,
      @Nullable Integer lastStatus,
      Instant diedAt) {
    static SampleBody of(RedrivePlan.Sample sample) {
      return new SampleBody(
          sample.deadLetterNo(),
          sample.eventId(),
          sample.reason().word(),
          sample.outcome(),
          sample.lastStatus() == 0 ? null : sample.lastStatus(),
          sample.diedAt());
    }
  }
}
