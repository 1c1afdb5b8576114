package io.penstock.engine.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.ledger.Acceptance;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutboxEndTest {
  private static final UUID EVENT = new UUID(1, 2);

  @Test
  void whatIsInTheLedgerLeavesTheOutbox() {
    assertThat(OutboxEnd.of(new Acceptance.Stored(EVENT, List.of()), 0))
        .isEqualTo(new OutboxEnd.Expanded());
    assertThat(OutboxEnd.of(new Acceptance.Replayed(EVENT, List.of()), 3))
        .isEqualTo(new OutboxEnd.Expanded());
  }

  @ParameterizedTest
  @CsvSource({"20, 0, 20", "20, 1, 40", "20, 3, 160", "20, 4, 300", "1, 8, 256", "60, 2000, 300"})
  void whatFindsNoRoomWaitsTwiceAsLongEachTimeUpToFiveMinutes(int first, int before, int wait) {
    Acceptance full = new Acceptance.Full("tenant acme", 1, 1, Duration.ofSeconds(first));
    assertThat(OutboxEnd.of(full, before)).isEqualTo(new OutboxEnd.Later(Duration.ofSeconds(wait)));
  }

  @Test
  void refusalsSayWhatWasWrongAndAreBounded() {
    assertThat(OutboxEnd.of(new Acceptance.KeyConflict(EVENT), 0))
        .isInstanceOfSatisfying(
            OutboxEnd.Refused.class,
            refused -> {
              assertThat(refused.why().reason().word()).isEqualTo("idempotency_key_reused");
              assertThat(refused.why().detail()).contains(EVENT.toString());
            });
    assertThat(OutboxEnd.of(new Acceptance.UnknownTenant("t".repeat(5_000)), 0))
        .isInstanceOfSatisfying(
            OutboxEnd.Refused.class, refused -> assertThat(refused.why().detail()).hasSize(1_000));
  }
}
