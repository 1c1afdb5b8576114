package io.penstock.gameday.sim;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.redrive.RedriveOutcome;
import io.penstock.engine.redrive.RedriveState;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.testkit.memory.Change;
import io.penstock.testkit.memory.Commit;
import io.penstock.testkit.memory.Interleave.Operation;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The redrives as the auditor knows them: what lay on the shelf when each began, what it released
 * since, and how much its rate could allow. Written from the promises and not from the engine.
 */
final class RedriveAudit {
  private final Model model;
  private final Map<String, Seen> seen = new LinkedHashMap<>();
  private final Map<DeliveryKey, Long> lastLetters = new HashMap<>();
  private long letters;

  RedriveAudit(Model model) {
    this.model = model;
  }

  /** A redrive since its start. */
  private static final class Seen {
    final String destinationId;
    final Map<DeliveryKey, DeliveryRow> frozen = new LinkedHashMap<>();
    final Set<DeliveryKey> released = new HashSet<>();
    final Set<DeliveryKey> skipped = new HashSet<>();
    final double perSecond;
    final double burst;
    RedriveState state = RedriveState.STARTING;
    double tokens;
    Instant at;

    Seen(RedriveTask task) {
      destinationId = task.destinationId();
      perSecond = task.settings().ratePerMinute() / 60.0;
      burst = Math.max(1, perSecond) + 1;
      tokens = 1;
      at = task.startedAt();
    }

    /** Whether its rate can have allowed so many more by now. */
    boolean allows(int count, Instant now) {
      if (perSecond == 0) {
        return true;
      }
      double seconds = Duration.between(at, now).toNanos() * 1e-9;
      tokens = Math.min(burst, tokens + Math.max(0, seconds) * perSecond);
      at = now;
      tokens -= count;
      return tokens > -1e-3;
    }
  }

  /** Told of every commit, before the model learns of its moves. */
  void committed(Commit commit) {
    Map<DeliveryKey, Change.RedriveEvent> events = new HashMap<>();
    Change.Redrive written = null;
    int released = 0;
    for (Change change : commit.changes()) {
      switch (change) {
        case Change.RedriveEvent event -> events.put(event.row().key(), event);
        case Change.Redrive redrive -> written = redrive;
        case Change.DeadLetter letter -> lastLetters.put(letter.row().key(), ++letters);
        default -> {}
      }
    }
    for (Change change : commit.changes()) {
      if (commit.operation() == Operation.REDRIVE_STEP && change instanceof Change.Delivery move) {
        released(move.after(), events.get(move.after().key()));
        released++;
      }
    }
    events.values().forEach(this::skipped);
    if (written != null) {
      written(commit, written.after(), released);
    }
  }

  private void released(DeliveryRow row, Change.@Nullable RedriveEvent event) {
    String id = row.key().destinationId();
    if (event == null || event.row().outcome() != RedriveOutcome.WAITING) {
      model.broken("every released message has its event", id, Model.name(row) + ": " + event);
      return;
    }
    Seen task = seen.get(event.redriveId());
    if (task == null || !task.destinationId.equals(id)) {
      model.broken(
          "a redrive releases its destination's", id, Model.name(row) + " by " + event.redriveId());
      return;
    }
    if (!task.frozen.containsKey(row.key())) {
      model.broken(
          "a redrive's set is frozen at its start",
          id,
          "%s was not on the shelf when %s began".formatted(Model.name(row), event.redriveId()));
    }
    if (!task.released.add(row.key())) {
      model.broken("no redrive releases a message twice", id, Model.name(row));
    }
    if (task.state != RedriveState.RUNNING && task.state != RedriveState.STARTING) {
      model.broken(
          "a paused or ended redrive releases nothing", id, Model.name(row) + " " + task.state);
    }
  }

  private void skipped(Change.RedriveEvent event) {
    Seen task = seen.get(event.redriveId());
    if (task != null && event.row().outcome() == RedriveOutcome.SKIPPED) {
      task.skipped.add(event.row().key());
    }
  }

  private void written(Commit commit, RedriveTask after, int released) {
    Seen task = seen.computeIfAbsent(after.key().id(), id -> begun(after));
    if (!task.allows(released, commit.now())) {
      model.broken(
          "a redrive keeps to its rate",
          after.destinationId(),
          "%s released %d at once, %.3f over %.2f a second"
              .formatted(after.key().id(), released, -task.tokens, task.perSecond));
    }
    if (after.progress().counts().released() != task.released.size()) {
      model.broken(
          "a redrive counts what it released",
          after.destinationId(),
          "%d were released, and it says %s"
              .formatted(task.released.size(), after.progress().counts()));
    }
    if (after.progress().state() == RedriveState.COMPLETED
        && task.state != RedriveState.COMPLETED) {
      completed(after, task);
    }
    task.state = after.progress().state();
  }

  private Seen begun(RedriveTask task) {
    Seen begun = new Seen(task);
    model.finished.forEach((key, row) -> {
      if (key.destinationId().equals(task.destinationId())
          && isDead(key, row)
          && lastLetters.getOrDefault(key, Long.MAX_VALUE) <= task.progress().bound()) {
        begun.frozen.put(key, row);
      }
    });
    model.story.tell(
        model.now(),
        "redrive",
        task.destinationId(),
        () ->
            "%s begins with %d, up to letter %d"
                .formatted(task.key().id(), begun.frozen.size(), task.progress().bound()));
    return begun;
  }

  private boolean isDead(DeliveryKey key, DeliveryRow row) {
    return row.state() == DeliveryState.DEAD && !model.rows.containsKey(key);
  }

  /** Each was released or skipped, or somebody else took it from the shelf. */
  private void completed(RedriveTask after, Seen task) {
    task.frozen.forEach((key, row) -> {
      boolean lay = row.equals(model.finished.get(key)) && !model.rows.containsKey(key);
      if (lay && !task.released.contains(key) && !task.skipped.contains(key)) {
        model.broken(
            "a redrive leaves nothing out",
            after.destinationId(),
            Model.name(row) + " lies on the shelf still, and it says that it has completed");
      }
    });
  }

  /** Redrives that have not ended. */
  boolean anyActive() {
    return seen.values().stream().anyMatch(task -> task.state.active());
  }
}
