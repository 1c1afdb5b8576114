package io.penstock.postgres.ledger;

import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Idempotency keys: the primary key decides who came first, and all get the first one's answer. */
final class Keys {
  private static final String TAKE = Sql.of(Keys.class, "accept_keys.sql");

  private final Duration window;

  /** Keys are remembered for {@code window}. */
  Keys(Duration window) {
    this.window = window;
  }

  /**
   * Takes the keys of these events; puts an answer for each whose key was taken before. No two of
   * them have the same key.
   */
  void take(Handle handle, Instant now, List<Candidate> keyed, Map<Integer, Acceptance> answers) {
    SortedMap<Integer, List<Candidate>> shards = new TreeMap<>();
    for (Candidate one : keyed) {
      shards.computeIfAbsent(one.home(), shard -> new ArrayList<>()).add(one);
    }
    shards.forEach((shard, ones) -> take(handle, now, shard, ones, answers));
  }

  private void take(
      Handle handle,
      Instant now,
      int shard,
      List<Candidate> keyed,
      Map<Integer, Acceptance> answers) {
    Set<UUID> taken =
        new HashSet<>(
            handle
                .createQuery(TAKE)
                .bind("shard", shard)
                .bind("now", Bind.time(now))
                .bind("expires", Bind.time(now.plus(window)))
                .bind("tenants", Bind.texts(keyed.stream().map(k -> k.event().tenantId()).toList()))
                .bind("keyHashes", Bind.bytes(keyed.stream().map(Candidate::keyHash).toList()))
                .bind("events", Bind.uuids(keyed.stream().map(k -> k.event().eventId()).toList()))
                .bind("bodyHashes", Bind.bytes(keyed.stream().map(Candidate::bodyHash).toList()))
                .bind("answers", Bind.texts(keyed.stream().map(k -> k.answer().format()).toList()))
                .mapTo(UUID.class)
                .list());
    List<Candidate> late =
        keyed.stream().filter(one -> !taken.contains(one.event().eventId())).toList();
    for (Candidate one : late) {
      answers.put(one.index(), first(handle, shard, one));
    }
  }

  /** What was answered when this one's key was used before; empty when it was not. */
  Optional<Acceptance> firstAnswer(Handle handle, Instant now, Candidate one) {
    return one.keyHash() == null ? Optional.empty() : find(handle, one.home(), now, one);
  }

  /** The first one's answer; its transaction is over, for ours has waited for it. */
  private static Acceptance first(Handle handle, int shard, Candidate late) {
    return find(handle, shard, Instant.EPOCH, late)
        .orElseThrow(
            () -> new LedgerException("the first use of a key expired just now; post again"));
  }

  private static Optional<Acceptance> find(
      Handle handle, int shard, Instant notExpiredAt, Candidate late) {
    return handle
        .createQuery(
            """
            select event_id, body_hash, answer
            from penstock.idempotency
            where shard = :shard and tenant_id = :tenant and key_hash = :keyHash
              and expires_at > :notExpiredAt
            """)
        .bind("shard", shard)
        .bind("tenant", late.event().tenantId())
        .bind("keyHash", late.keyHash())
        .bind("notExpiredAt", Bind.time(notExpiredAt))
        .map((row, context) -> {
          UUID eventId = row.getObject("event_id", UUID.class);
          FirstAnswer first = FirstAnswer.parse(row.getString("answer"));
          return (Acceptance)
              (Arrays.equals(row.getBytes("body_hash"), late.bodyHash())
                  ? new Acceptance.Replayed(eventId, first.deliveries(), first.suppressed())
                  : new Acceptance.KeyConflict(eventId));
        })
        .findOne();
  }
}
