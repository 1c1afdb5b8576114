package io.penstock.server.redrive;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.redrive.RedriveCounts;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveTask;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A redrive as the API shows it.
 *
 * @param waitsFor one word on what it does or waits for; {@code explanation} says it with numbers
 * @param matched messages of the frozen set; absent while it is still being counted
 * @param percent of the set that was gone through; absent as {@code matched}
 */
record RedriveBody(
    String id,
    String destinationId,
    String tenantId,
    String state,
    String waitsFor,
    String explanation,
    FilterBody filter,
    SettingsBody settings,
    @Nullable Long matched,
    @Nullable Integer percent,
    RedriveCounts counts,
    String startedBy,
    String reason,
    Instant startedAt,
    @Nullable Instant endedAt) {

  static RedriveBody of(RedriveTask task) {
    RedriveCounts counts = task.progress().counts();
    return new RedriveBody(
        task.key().id(),
        task.destinationId(),
        task.tenantId(),
        task.progress().state().word(),
        task.progress().waitsFor(),
        task.progress().explained(),
        FilterBody.of(task.filter()),
        SettingsBody.of(task.settings()),
        task.matched(),
        percent(task.matched(), counts.released() + counts.skipped()),
        counts,
        task.startedBy(),
        task.reason(),
        task.startedAt(),
        task.endedAt());
  }

  private static @Nullable Integer percent(@Nullable Long matched, long done) {
    if (matched == null) {
      return null;
    }
    return matched == 0 ? 100 : (int) (done * 100 / matched);
  }

  /** The conditions that were given. */
  record FilterBody(
      @Nullable List<String> outcomes,
      @Nullable List<String> reasons,
      @Nullable List<Integer> statuses,
      @Nullable Instant diedFrom,
      @Nullable Instant diedBefore,
      @Nullable List<String> types,
      @Nullable List<UUID> events) {
    static FilterBody of(RedriveFilter filter) {
      return new FilterBody(
          orNull(filter.outcomes().stream().sorted().toList()),
          orNull(filter.reasons().stream().map(Reason::word).sorted().toList()),
          orNull(filter.statuses().stream().sorted().toList()),
          filter.diedFrom(),
          filter.diedBefore(),
          orNull(filter.types().stream().sorted().toList()),
          orNull(filter.eventIds().stream().sorted().toList()));
    }

    private static <T> @Nullable List<T> orNull(List<T> list) {
      return list.isEmpty() ? null : list;
    }
  }

  /** The pace. A rate of 0 = as fast as the backlog allows. */
  record SettingsBody(int ratePerMinute, int lowWatermark, CanaryBody canary, AbortBody abort) {
    static SettingsBody of(RedriveSettings settings) {
      return new SettingsBody(
          settings.ratePerMinute(),
          settings.lowWatermark(),
          new CanaryBody(settings.canaryFirst(), settings.canaryPercent()),
          new AbortBody(settings.abortPercent(), settings.abortAfter()));
    }
  }

  record CanaryBody(int first, int percent) {}

  record AbortBody(int percent, int after) {}
}
