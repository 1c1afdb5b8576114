package io.penstock.server.event;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.Header;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.spelling.Spelling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;

/** Reads one event's object; the parser stands on its opening brace. For one event. */
final class EnvelopeReader {

  /** The fields that an event may have. */
  private enum Field {
    TENANT,
    TYPE,
    CONTENT_TYPE,
    HEADERS,
    PAYLOAD,
    PAYLOAD_BASE64,
    URGENCY,
    IDEMPOTENCY_KEY,
    OPERATION,
    SOURCE_VERSION,
    DESTINATIONS,
    ITEM,
    FRESH_FOR,
    REQUIRES;

    private final String word = name().toLowerCase(Locale.ROOT);

    static final Map<String, Field> BY_WORD =
        Stream.of(values()).collect(Collectors.toUnmodifiableMap(f -> f.word, Function.identity()));
  }

  private final EventRules rules;
  private final byte[] request;
  private final JsonParser parser;
  private final String at;
  private final Set<Field> seen = EnumSet.noneOf(Field.class);

  private @Nullable String tenant;
  private @Nullable String type;
  private String contentType = EventRules.JSON;
  private List<Header> headers = List.of();
  private byte @Nullable [] body;
  private Urgency urgency = Urgency.INTERACTIVE;
  private @Nullable String key;
  private @Nullable String operation;
  private @Nullable String sourceVersion;
  private List<String> destinations = List.of();
  private @Nullable String item;
  private @Nullable Duration freshFor;
  private List<String> requires = List.of();

  EnvelopeReader(Bounds bounds, byte[] request, JsonParser parser, String at) {
    this.rules = new EventRules(bounds, at);
    this.request = request;
    this.parser = parser;
    this.at = at;
  }

  /** Reads to the closing brace. */
  Posted read() {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      Field field = Field.BY_WORD.get(name);
      if (field == null) {
        throw ProblemException.field(
            at + name,
            "an unknown field",
            "a known field (" + Spelling.hint(name, Field.BY_WORD.keySet()) + ")");
      }
      if (!seen.add(field)) {
        throw fault(field, "it twice", "each field once");
      }
      parser.nextToken();
      take(field);
    }
    return checked();
  }

  private void take(Field field) {
    switch (field) {
      case TENANT -> tenant = rules.id(field.word, text(field, Texts.ID_WORDS));
      case TYPE -> type = rules.type(text(field, Texts.TYPE_WORDS));
      case CONTENT_TYPE ->
          contentType = rules.contentType(text(field, EventRules.MEDIA_TYPE_WORDS));
      case HEADERS -> headers = EventHeaders.read(parser, rules);
      case PAYLOAD -> body = payload();
      case PAYLOAD_BASE64 -> body = base64();
      case URGENCY -> urgency = rules.urgency(text(field, EventRules.URGENCY_WORDS));
      case IDEMPOTENCY_KEY -> key = rules.key(text(field, EventRules.KEY_WORDS));
      case OPERATION -> operation = keyPart(field);
      case SOURCE_VERSION -> sourceVersion = keyPart(field);
      case DESTINATIONS -> destinations = destinations();
      case ITEM -> item = rules.item(text(field, Texts.ITEM_WORDS));
      case FRESH_FOR -> freshFor = rules.freshFor(text(field, EventRules.FRESH_FOR_WORDS));
      case REQUIRES -> requires = requires();
    }
  }

  private Posted checked() {
    if (type == null) {
      throw fault(Field.TYPE, "nothing", Texts.TYPE_WORDS);
    }
    if (body == null || seen.containsAll(EnumSet.of(Field.PAYLOAD, Field.PAYLOAD_BASE64))) {
      throw fault(
          Field.PAYLOAD,
          body == null ? "nothing" : "payload and payload_base64",
          "either payload (JSON, sent on byte for byte) or payload_base64 (any bytes)");
    }
    if (seen.contains(Field.PAYLOAD) && !EventRules.isJson(contentType)) {
      throw fault(
          Field.CONTENT_TYPE,
          contentType,
          "application/json or a +json type with payload; other types take payload_base64");
    }
    return new Posted(
        at,
        tenant,
        type,
        contentType,
        headers,
        body,
        urgency,
        rules.idempotencyKey(key, operation, sourceVersion),
        destinations,
        item,
        rules.freshness(item, freshFor, seen.contains(Field.REQUIRES), requires));
  }

  private String keyPart(Field field) {
    return rules.keyPart(field.word, text(field, EventRules.KEY_PART_WORDS));
  }

  /** The value's bytes as they stand in the request, from its first to its last. */
  private byte[] payload() {
    int from = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    if (parser.currentToken().isStructStart()) {
      parser.skipChildren();
    } else {
      parser.finishToken();
    }
    int to = Math.toIntExact(parser.currentLocation().getByteOffset());
    rules.size(to - from);
    return Arrays.copyOfRange(request, from, to);
  }

  private byte[] base64() {
    requireText(Field.PAYLOAD_BASE64, "base64, with padding");
    byte[] bytes;
    try {
      bytes = parser.getBinaryValue();
    } catch (StreamReadException e) {
      throw fault(Field.PAYLOAD_BASE64, "text that is not base64", "base64, with padding");
    }
    rules.size(bytes.length);
    return bytes;
  }

  private List<String> destinations() {
    return texts(
        Field.DESTINATIONS,
        EventRules.DESTINATIONS_WORDS,
        "; leave it out to use subscriptions",
        rules::destination);
  }

  private List<String> requires() {
    return texts(
        Field.REQUIRES,
        EventRules.ARTIFACTS_WORDS,
        "; leave it out when any complete run will do",
        rules::artifact);
  }

  /** A list of texts, one at least; {@code without} says what it is to have none. */
  private List<String> texts(
      Field field, String allowed, String without, BiFunction<String, List<String>, String> one) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw fault(field, kind(parser.currentToken()), allowed);
    }
    List<String> out = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      out.add(one.apply(text(field, allowed), out));
    }
    if (out.isEmpty()) {
      throw fault(field, "none", allowed + without);
    }
    return List.copyOf(out);
  }

  private String text(Field field, String allowed) {
    requireText(field, allowed);
    return parser.getString();
  }

  private void requireText(Field field, String allowed) {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw fault(field, kind(parser.currentToken()), allowed);
    }
  }

  private ProblemException fault(Field field, String got, String allowed) {
    return rules.fault(field.word, got, allowed);
  }

  /** What kind of value a token begins, in words. */
  static String kind(@Nullable JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_OBJECT, END_OBJECT -> "an object";
      case START_ARRAY, END_ARRAY -> "a list";
      case VALUE_STRING, PROPERTY_NAME -> "a text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a truth value";
      case VALUE_NULL, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> "null";
    };
  }
}
