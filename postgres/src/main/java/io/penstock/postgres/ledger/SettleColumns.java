package io.penstock.postgres.ledger;

import io.penstock.budget.Feedback;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.ledger.Settlement.AttemptRow;
import io.penstock.postgres.Bind;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** A batch of settlements and their moves, turned into one array per column of the statement. */
final class SettleColumns {
  private final List<String> destinations = new ArrayList<>();
  private final List<UUID> events = new ArrayList<>();
  private final List<String> kinds = new ArrayList<>();
  private final List<@Nullable String> reasons = new ArrayList<>();
  private final List<@Nullable String> outcomes = new ArrayList<>();
  private final List<@Nullable String> details = new ArrayList<>();
  private final List<@Nullable String> addresses = new ArrayList<>();
  private final List<@Nullable String> nodes = new ArrayList<>();
  private final long[] leaseNos;
  private final boolean[] lost;
  private final int[] attempts;
  private final long[] notBefore;
  private final int[] statuses;
  private final long[] started;
  private final long[] durations;
  private final List<byte @Nullable []> heads = new ArrayList<>();

  SettleColumns(List<Settlement> batch, List<Move> moves) {
    int size = batch.size();
    leaseNos = new long[size];
    lost = new boolean[size];
    attempts = new int[size];
    notBefore = new long[size];
    statuses = new int[size];
    started = new long[size];
    durations = new long[size];
    for (int i = 0; i < size; i++) {
      add(i, batch.get(i), moves.get(i));
    }
  }

  private void add(int i, Settlement settlement, Move move) {
    Leased lease = settlement.lease();
    destinations.add(lease.key().destinationId());
    events.add(lease.key().eventId());
    leaseNos[i] = lease.leaseNo();
    lost[i] = settlement.feedback() instanceof Feedback.LeaseLost;
    attempts[i] = lease.attempt();
    String reason = null;
    switch (move) {
      case Move.Deliver(int attempt) -> {
        kinds.add("deliver");
        attempts[i] = attempt;
      }
      case Move.Retry(int attempt, var until) -> {
        kinds.add("retry");
        attempts[i] = attempt;
        notBefore[i] = Bind.micros(until);
      }
      case Move.KeepPlace() -> kinds.add("keep");
      case Move.Die(int attempt, var why) -> {
        kinds.add("die");
        attempts[i] = attempt;
        reason = why.word();
      }
    }
    reasons.add(reason);
    addAttempt(i, settlement.attempt());
  }

  private void addAttempt(int i, @Nullable AttemptRow attempt) {
    outcomes.add(attempt == null ? null : attempt.outcome());
    details.add(attempt == null ? null : attempt.detail());
    addresses.add(attempt == null ? null : attempt.resolvedAddress());
    nodes.add(attempt == null ? null : attempt.node());
    heads.add(attempt == null ? null : attempt.responseHead());
    if (attempt != null) {
      statuses[i] = attempt.status();
      started[i] = Bind.micros(attempt.startedAt());
      durations[i] = attempt.durationMicros();
    }
  }

  Query bind(Query query) {
    return query
        .bind("destinations", Bind.texts(destinations))
        .bind("events", Bind.uuids(events))
        .bind("leaseNos", Bind.longs(leaseNos))
        .bind("lost", Bind.booleans(lost))
        .bind("kinds", Bind.texts(kinds))
        .bind("attempts", Bind.ints(attempts))
        .bind("notBeforeMicros", Bind.longs(notBefore))
        .bind("reasons", Bind.texts(reasons))
        .bind("statuses", Bind.ints(statuses))
        .bind("startedMicros", Bind.longs(started))
        .bind("durationMicros", Bind.longs(durations))
        .bind("outcomes", Bind.texts(outcomes))
        .bind("details", Bind.texts(details))
        .bind("heads", Bind.bytes(heads))
        .bind("addresses", Bind.texts(addresses))
        .bind("nodes", Bind.texts(nodes));
  }
}
