package io.penstock.engine.recurring;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.Header;
import io.penstock.engine.wave.Wave;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event that a schedule sends, checked against the bounds of events already.
 *
 * @param body the raw bytes, never parsed
 * @param destinationIds explicit destinations of the tenant; empty = by subscription
 * @param items an instant sends one event for each of them, at most {@value #MOST_ITEMS}; empty =
 *     one event about nothing in particular
 * @param over the window over which each instant's deliveries are spread; null = due at once
 */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record Template(
    String type,
    String contentType,
    List<Header> headers,
    byte[] body,
    Urgency urgency,
    List<String> destinationIds,
    List<String> items,
    @Nullable Duration over) {
  /** Items of one schedule: an instant is one transaction. */
  public static final int MOST_ITEMS = 500;

  public Template {
    if (items.size() > MOST_ITEMS) {
      throw new IllegalArgumentException(
          "items: at most %d, got %d".formatted(MOST_ITEMS, items.size()));
    }
    if (over != null) {
      Wave.check(over);
    }
  }

  /** Of one event that is due at once. */
  public Template(
      String type,
      String contentType,
      List<Header> headers,
      byte[] body,
      Urgency urgency,
      List<String> destinationIds) {
    this(type, contentType, headers, body, urgency, destinationIds, List.of(), null);
  }

  /** How many events an instant sends. */
  int events() {
    return Math.max(1, items.size());
  }
}
