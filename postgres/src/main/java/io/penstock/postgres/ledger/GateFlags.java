package io.penstock.postgres.ledger;

import io.penstock.engine.destination.GateAction;
import io.penstock.postgres.Bind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The flags of one gate, and what an action makes of them. */
record GateFlags(
    boolean disabled, boolean paused, boolean held, long gateNo, @Nullable Instant reopenedAt) {

  static GateFlags read(ResultSet row) throws SQLException {
    return new GateFlags(
        row.getBoolean("disabled"),
        row.getBoolean("paused"),
        row.getBoolean("held"),
        row.getLong("gate_no"),
        Bind.instantOrNull(row, "reopened_at"));
  }

  /** Whether an action opens what another one closed. */
  static boolean reopens(GateAction action) {
    return switch (action) {
      case RESUME, RELEASE, ENABLE -> true;
      case PAUSE, HOLD, DISABLE -> false;
    };
  }

  /** The flags after an action; this very value when they stand so already. */
  GateFlags after(GateAction action, Instant now) {
    boolean nowDisabled =
        switch (action) {
          case DISABLE -> true;
          case ENABLE -> false;
          case PAUSE, RESUME, HOLD, RELEASE -> disabled;
        };
    boolean nowPaused =
        switch (action) {
          case PAUSE -> true;
          case RESUME -> false;
          case HOLD, RELEASE, DISABLE, ENABLE -> paused;
        };
    boolean nowHeld =
        switch (action) {
          case HOLD -> true;
          case RELEASE -> false;
          case PAUSE, RESUME, DISABLE, ENABLE -> held;
        };
    if (nowDisabled == disabled && nowPaused == paused && nowHeld == held) {
      return this;
    }
    return new GateFlags(
        nowDisabled, nowPaused, nowHeld, gateNo + 1, reopens(action) ? now : reopenedAt);
  }
}
