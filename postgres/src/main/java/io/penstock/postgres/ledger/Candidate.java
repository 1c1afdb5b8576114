package io.penstock.postgres.ledger;

import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Acceptance.Suppressed;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.postgres.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event that may be stored.
 *
 * @param index its place in the batch
 * @param suppressed the deliveries that are not made
 * @param home the shard of its tenant
 * @param keyHash of its idempotency key; null when it has none
 */
@SuppressWarnings("ArrayRecordComponent") // digests, never changed; compared by Arrays.equals
record Candidate(
    int index,
    NewEvent event,
    List<Fan> fans,
    List<Suppressed> suppressed,
    int home,
    byte @Nullable [] keyHash,
    byte[] bodyHash) {

  static Candidate of(
      int index, NewEvent event, List<Fan> fans, List<Suppressed> suppressed, int shards) {
    String key = event.idempotencyKey();
    return new Candidate(
        index,
        event,
        fans,
        suppressed,
        Shard.of(event.tenantId(), shards),
        key == null ? null : Digest.sha256(key.getBytes(StandardCharsets.UTF_8)),
        Digest.sha256(event.body()));
  }

  /** What is answered, now and to repeats. */
  FirstAnswer answer() {
    return FirstAnswer.of(fans, suppressed);
  }
}
