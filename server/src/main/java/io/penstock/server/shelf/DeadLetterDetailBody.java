package io.penstock.server.shelf;

import io.penstock.postgres.read.DeadLetterDetail;
import io.penstock.postgres.read.DeliveryDetail;
import io.penstock.server.delivery.DeliveryDetailBody;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One dead letter with its remedy, its payload and the attempts of its delivery, oldest first.
 *
 * @param state what its delivery is now: {@code dead} while it lies on the shelf; null when the
 *     delivery is no longer kept
 */
record DeadLetterDetailBody(
    DeadLetterBody deadLetter,
    RemedyBody remedy,
    Payload payload,
    @Nullable String state,
    List<DeliveryDetailBody.AttemptBody> attempts) {

  /**
   * Where the bytes are.
   *
   * @param kept whether they are there; as long as the shelf keeps the dead letter
   * @param bytes null when they are gone
   */
  record Payload(String path, boolean kept, @Nullable Integer bytes) {}

  static DeadLetterDetailBody of(
      DeadLetterDetail detail, Optional<DeliveryDetail> delivery, boolean inside) {
    DeadLetterBody letter = DeadLetterBody.of(detail.letter(), inside);
    return new DeadLetterDetailBody(
        letter,
        RemedyBody.of(detail.letter().reason()),
        new Payload(letter.payload(), detail.payloadKept(), detail.payloadBytes()),
        delivery.map(one -> one.delivery().shown().word()).orElse(null),
        delivery.map(one -> DeliveryDetailBody.of(one, inside).attempts()).orElse(List.of()));
  }
}
