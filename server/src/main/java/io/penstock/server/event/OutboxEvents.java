package io.penstock.server.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.engine.event.Header;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.outbox.OutboxReader;
import io.penstock.engine.outbox.OutboxRefusal;
import io.penstock.engine.outbox.OutboxRow;
import io.penstock.server.json.Json;
import io.penstock.server.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/** Makes events of what applications enqueued, by the rules of posted ones. */
public final class OutboxEvents implements OutboxReader {
  private final EventRules rules;
  private final Supplier<UUID> ids;

  /**
   * @param ids new event ids
   */
  public OutboxEvents(Bounds bounds, Supplier<UUID> ids) {
    this.rules = new EventRules(bounds, "");
    this.ids = ids;
  }

  @Override
  public Reading read(OutboxRow row) {
    try {
      return new Event(event(row));
    } catch (ProblemException unfit) {
      return new Unfit(new OutboxRefusal(OutboxRefusal.Reason.INVALID, unfit.detail()));
    }
  }

  private NewEvent event(OutboxRow row) {
    String contentType = rules.contentType(row.contentType());
    rules.size(row.payload().length);
    if (row.text() && EventRules.isJson(contentType)) {
      Json.skim(row.payload());
    }
    return new NewEvent(
        ids.get(),
        rules.id("tenant", row.tenantId()),
        rules.type(row.type()),
        contentType,
        headers(row.headers()),
        row.payload(),
        rules.urgency(row.urgency()),
        key(row),
        destinations(row.destinationIds()));
  }

  private List<Header> headers(String object) {
    try (JsonParser parser = Json.parser(object.getBytes(UTF_8))) {
      parser.nextToken();
      return EventHeaders.read(parser, rules);
    } catch (JacksonException e) {
      throw Json.malformed(e);
    }
  }

  private @Nullable String key(OutboxRow row) {
    String key = row.idempotencyKey();
    String operation = row.operation();
    String version = row.sourceVersion();
    return rules.idempotencyKey(
        key == null ? null : rules.key(key),
        operation == null ? null : rules.keyPart("operation", operation),
        version == null ? null : rules.keyPart("source_version", version));
  }

  private List<String> destinations(List<String> named) {
    List<String> out = new ArrayList<>(named.size());
    named.forEach(id -> out.add(rules.destination(id, out)));
    return List.copyOf(out);
  }
}
