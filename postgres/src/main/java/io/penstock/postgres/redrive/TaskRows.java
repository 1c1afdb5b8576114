package io.penstock.postgres.redrive;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.redrive.RedriveCounts;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveKey;
import io.penstock.engine.redrive.RedriveProgress;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveState;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.postgres.Bind;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Reads rows of {@code penstock.redrive}. */
final class TaskRows {
  private TaskRows() {}

  static RedriveTask task(ResultSet row) throws SQLException {
    long countedTo = row.getLong("counted_to");
    RedriveProgress progress = progress(row);
    return new RedriveTask(
        new RedriveKey(row.getInt("shard"), row.getString("redrive_id")),
        row.getString("tenant_id"),
        filter(row),
        new RedriveSettings(
            row.getInt("rate_per_minute"),
            row.getInt("low_watermark"),
            row.getInt("canary_first"),
            row.getInt("canary_percent"),
            row.getInt("abort_percent"),
            row.getInt("abort_after")),
        progress,
        countedTo >= progress.bound() ? row.getLong("counted") : null,
        row.getString("actor"),
        row.getString("reason"),
        Bind.instant(row, "started_at"),
        Bind.instantOrNull(row, "ended_at"));
  }

  private static RedriveFilter filter(ResultSet row) throws SQLException {
    return new RedriveFilter(
        row.getString("destination_id"),
        Set.copyOf(Bind.strings(row.getArray("outcomes"))),
        Bind.strings(row.getArray("reasons")).stream()
            .map(Reason::ofWord)
            .collect(Collectors.toSet()),
        Set.of((Integer[]) row.getArray("statuses").getArray()),
        Bind.instantOrNull(row, "died_from"),
        Bind.instantOrNull(row, "died_before"),
        Set.copyOf(Bind.strings(row.getArray("types"))),
        Set.copyOf(uuids(row.getArray("event_ids"))));
  }

  private static List<UUID> uuids(Array array) throws SQLException {
    return Arrays.asList((UUID[]) array.getArray());
  }

  private static RedriveProgress progress(ResultSet row) throws SQLException {
    return new RedriveProgress(
        RedriveState.ofWord(row.getString("state")),
        row.getLong("cursor"),
        row.getLong("bound"),
        new RedriveCounts(
            row.getLong("released"),
            row.getLong("skipped"),
            row.getLong("waiting"),
            row.getLong("retrying"),
            row.getLong("delivered"),
            row.getLong("dead"),
            row.getLong("cancelled"),
            row.getLong("lost")),
        row.getBoolean("canary_passed"),
        Bind.instant(row, "pace_from"),
        row.getLong("pace_released"),
        Bind.instant(row, "looked_at"),
        row.getString("waits_for"),
        row.getString("explained"));
  }
}
