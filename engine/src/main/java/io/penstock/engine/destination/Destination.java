package io.penstock.engine.destination;

import io.penstock.engine.event.Header;
import java.util.List;

/**
 * Where work goes.
 *
 * @param id ASCII, at most 64 characters, unique in the installation
 * @param shard derived from the id at creation and stored
 * @param url absolute http or https URL; empty for tubes
 * @param headers added to every attempt
 * @param secrets references to signing keys ({@code env:NAME}, {@code file:/path}), newest first;
 *     several during a rotation; empty = unsigned
 * @param budgetId the budget it spends from; by default its own id
 * @param configNo raised by every change of this configuration
 */
public record Destination(
    String id,
    int shard,
    String tenantId,
    Mode mode,
    String url,
    List<Header> headers,
    List<String> secrets,
    String budgetId,
    long configNo) {

  /** How work reaches a destination. */
  public enum Mode {
    /** We POST to its URL. */
    PUSH,
    /** A tube: outside workers lease from it. */
    PULL
  }
}
