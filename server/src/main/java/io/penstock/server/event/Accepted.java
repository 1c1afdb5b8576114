package io.penstock.server.event;

import io.penstock.engine.ledger.Acceptance;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.FieldFault;
import io.penstock.server.problem.Problem;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.problem.ProblemException.Bound;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the API says about posted events. */
final class Accepted {
  private Accepted() {}

  /** Committed with fsync, and its deliveries wait. */
  static final int ACCEPTED = 202;

  /**
   * One event that was taken, with the deliveries that it became.
   *
   * @param suppressed the tubes that it did not go to; null = none
   */
  record Body(
      UUID eventId, List<DeliveryBody> deliveries, @Nullable List<SuppressedBody> suppressed) {}

  /** A tube that the event did not go to, and the run that left its item fresh there. */
  record SuppressedBody(String destinationId, RunBody run) {}

  /** A complete run: which lease of which job, and what it brought. */
  record RunBody(UUID job, long leaseNo, Instant completedAt, List<String> artifacts) {}

  /** One delivery as it was born. */
  record DeliveryBody(String destinationId, String state, @Nullable String reason) {}

  /**
   * One item of a batch's answer: either what a single post would have answered, or its refusal.
   */
  record ItemBody(
      int status,
      @Nullable UUID eventId,
      @Nullable List<DeliveryBody> deliveries,
      @Nullable List<SuppressedBody> suppressed,
      @Nullable Boolean replayed,
      @Nullable Problem problem) {}

  /** A batch's answer: the items in the order of the events. */
  record BatchBody(int accepted, int refused, List<ItemBody> items) {}

  /** The answer for one event. */
  sealed interface Item {
    /** It was taken, now or before. */
    record Taken(Body body, boolean replayed) implements Item {}

    /** It was not. */
    record Refused(ProblemException why) implements Item {}
  }

  static Item item(Posted posted, Acceptance acceptance) {
    return switch (acceptance) {
      case Acceptance.Stored stored ->
          new Item.Taken(body(stored.eventId(), stored.deliveries(), stored.suppressed()), false);
      case Acceptance.Replayed again ->
          new Item.Taken(body(again.eventId(), again.deliveries(), again.suppressed()), true);
      case Acceptance.KeyConflict conflict ->
          refused(
              ProblemException.of(
                  ErrorCode.IDEMPOTENCY_KEY_REUSED,
                  "%sthe key came before with other bytes, as event %s; send the same bytes, or"
                          .formatted(posted.at(), conflict.firstEventId())
                      + " another key"));
      case Acceptance.UnknownTenant unknown ->
          refused(
              unknown(
                  posted.at() + "tenant",
                  unknown.tenantId(),
                  "a tenant that exists (POST /v1/tenants makes one)"));
      case Acceptance.UnknownDestination unknown ->
          refused(
              unknown(
                  posted.at() + "destinations",
                  unknown.destinationId(),
                  "destinations of the event's tenant"));
      case Acceptance.Full full ->
          refused(
              ProblemException.later(
                  ErrorCode.BACKLOG_FULL,
                  "%s%,d deliveries wait for %s, whose bound is %,d"
                      .formatted(posted.at(), full.waiting(), full.what(), full.bound()),
                  new Bound(
                      "backlog of " + full.what(), full.bound(), full.waiting(), "deliveries"),
                  full.retryAfter()));
    };
  }

  static BatchBody batch(List<Item> items) {
    List<ItemBody> bodies = items.stream().map(Accepted::itemBody).toList();
    int refused = (int) items.stream().filter(Item.Refused.class::isInstance).count();
    return new BatchBody(items.size() - refused, refused, bodies);
  }

  private static ItemBody itemBody(Item item) {
    return switch (item) {
      case Item.Taken(Body body, boolean replayed) ->
          new ItemBody(
              ACCEPTED,
              body.eventId(),
              body.deliveries(),
              body.suppressed(),
              replayed ? true : null,
              null);
      case Item.Refused(ProblemException why) ->
          new ItemBody(why.code().status(), null, null, null, null, Problem.of(why, null));
    };
  }

  private static Body body(
      UUID eventId, List<Acceptance.Fanned> fanned, List<Acceptance.Suppressed> suppressed) {
    return new Body(
        eventId,
        fanned.stream()
            .map(f ->
                new DeliveryBody(
                    f.destinationId(),
                    f.state().word(),
                    f.reason() == null ? null : f.reason().word()))
            .toList(),
        suppressed(suppressed));
  }

  /** Null when there is none, so that it is left out. */
  static @Nullable List<SuppressedBody> suppressed(List<Acceptance.Suppressed> all) {
    return all.isEmpty()
        ? null
        : all.stream()
            .map(one ->
                new SuppressedBody(
                    one.destinationId(),
                    new RunBody(one.eventId(), one.leaseNo(), one.completedAt(), one.artifacts())))
            .toList();
  }

  private static Item refused(ProblemException refusal) {
    return new Item.Refused(refusal);
  }

  private static ProblemException unknown(String field, String got, String allowed) {
    return ProblemException.of(
        ErrorCode.INVALID_FIELD,
        "%s: wanted %s, got %s".formatted(field, allowed, got),
        List.of(new FieldFault(field, got, allowed)));
  }
}
