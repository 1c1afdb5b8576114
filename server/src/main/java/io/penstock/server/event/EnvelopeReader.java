package io.penstock.server.event;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.event.Header;
import io.penstock.server.header.CustomHeaders;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.problem.ProblemException.Bound;
import io.penstock.server.spelling.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
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
    ITEM;

    private final String word = name().toLowerCase(Locale.ROOT);

    static final Map<String, Field> BY_WORD =
        Stream.of(values()).collect(Collectors.toUnmodifiableMap(f -> f.word, Function.identity()));
  }

  /** Most destinations that one event names; more is what subscriptions are for. */
  private static final int MOST_DESTINATIONS = 100;

  private static final String JSON = "application/json";
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( ?;[ -~]*)?");
  private static final int MAX_MEDIA_TYPE_CHARS = 200;
  private static final Pattern JSON_MEDIA_TYPE =
      Pattern.compile("(?i)(application/json|[^;]+\\+json)( ?;.*)?");
  private static final Pattern KEY = Pattern.compile("[!-~]{1,255}");
  static final String KEY_WORDS = "1 to 255 printable ASCII characters without blanks";
  private static final Pattern KEY_PART = Pattern.compile("[A-Za-z0-9._:/-]{1,100}");
  private static final String KEY_PART_WORDS = "1 to 100 of A-Z a-z 0-9 . _ : / -";
  private static final Map<String, Urgency> URGENCIES =
      Map.of("interactive", Urgency.INTERACTIVE, "batch", Urgency.BATCH);

  private final Bounds bounds;
  private final byte[] request;
  private final JsonParser parser;
  private final String at;
  private final Set<Field> seen = EnumSet.noneOf(Field.class);

  private @Nullable String tenant;
  private @Nullable String type;
  private String contentType = JSON;
  private List<Header> headers = List.of();
  private byte @Nullable [] body;
  private Urgency urgency = Urgency.INTERACTIVE;
  private @Nullable String key;
  private @Nullable String operation;
  private @Nullable String sourceVersion;
  private List<String> destinations = List.of();
  private @Nullable String item;

  EnvelopeReader(Bounds bounds, byte[] request, JsonParser parser, String at) {
    this.bounds = bounds;
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
      case TENANT -> tenant = text(field, Texts.ID, Texts.ID_WORDS);
      case TYPE -> type = type();
      case CONTENT_TYPE -> contentType = mediaType();
      case HEADERS -> headers = headers();
      case PAYLOAD -> body = payload();
      case PAYLOAD_BASE64 -> body = base64();
      case URGENCY -> urgency = urgency();
      case IDEMPOTENCY_KEY -> key = text(field, KEY, KEY_WORDS);
      case OPERATION -> operation = text(field, KEY_PART, KEY_PART_WORDS);
      case SOURCE_VERSION -> sourceVersion = text(field, KEY_PART, KEY_PART_WORDS);
      case DESTINATIONS -> destinations = destinations();
      case ITEM -> item = item();
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
    if (seen.contains(Field.PAYLOAD) && !JSON_MEDIA_TYPE.matcher(contentType).matches()) {
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
        idempotencyKey(),
        destinations,
        item);
  }

  /** The producer's key, or the one that operation and source version make. */
  private @Nullable String idempotencyKey() {
    if ((operation == null) != (sourceVersion == null)) {
      throw fault(
          operation == null ? Field.OPERATION : Field.SOURCE_VERSION,
          "nothing",
          "operation and source_version together");
    }
    if (operation == null) {
      return key;
    }
    if (key != null) {
      throw fault(
          Field.IDEMPOTENCY_KEY, key, "either idempotency_key or operation with source_version");
    }
    // Neither part can hold the @, so that two different pairs never make one key.
    return operation + "@" + sourceVersion;
  }

  private String type() {
    String text = text(Field.TYPE, Texts.ANY, Texts.TYPE_WORDS);
    if (!Texts.isType(text)) {
      throw fault(Field.TYPE, text, Texts.TYPE_WORDS);
    }
    return text;
  }

  private String mediaType() {
    String allowed = "a media type of at most 200 characters, for instance application/json";
    String text = text(Field.CONTENT_TYPE, MEDIA_TYPE, allowed);
    if (text.length() > MAX_MEDIA_TYPE_CHARS) {
      throw fault(Field.CONTENT_TYPE, text, allowed);
    }
    return text;
  }

  private String item() {
    String text = text(Field.ITEM, Texts.ANY, Texts.ITEM_WORDS);
    if (!Texts.isItem(text)) {
      throw fault(Field.ITEM, text.isEmpty() ? "an empty text" : text, Texts.ITEM_WORDS);
    }
    return text;
  }

  private Urgency urgency() {
    String text = text(Field.URGENCY, Texts.ANY, "interactive or batch");
    Urgency found = URGENCIES.get(text);
    if (found == null) {
      throw fault(Field.URGENCY, text, "interactive or batch");
    }
    return found;
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
    checkSize(to - from);
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
    checkSize(bytes.length);
    return bytes;
  }

  private void checkSize(int bytes) {
    if (bytes > bounds.bodyBytes()) {
      throw ProblemException.bound(
          ErrorCode.BODY_TOO_LARGE,
          "%spayload has %,d bytes; at most %,d are taken".formatted(at, bytes, bounds.bodyBytes()),
          new Bound("bounds.body_bytes", bounds.bodyBytes(), bytes, "bytes"));
    }
  }

  private List<Header> headers() {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw fault(Field.HEADERS, kind(parser.currentToken()), "an object of texts");
    }
    List<Header> out = new ArrayList<>();
    int bytes = 0;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      Header header = header(parser.currentName());
      bytes += header.name().length() + header.value().length();
      if (bytes > bounds.headerBytes() || out.size() == CustomHeaders.MOST) {
        throw ProblemException.bound(
            ErrorCode.INVALID_FIELD,
            "%sheaders: at most %d with %,d bytes in all are taken"
                .formatted(at, CustomHeaders.MOST, bounds.headerBytes()),
            new Bound("bounds.header_bytes", bounds.headerBytes(), -1, "bytes"));
      }
      out.add(header);
    }
    return List.copyOf(out);
  }

  private Header header(String name) {
    if (parser.nextToken() != JsonToken.VALUE_STRING) {
      throw ProblemException.field(at + "headers." + name, kind(parser.currentToken()), "a text");
    }
    return CustomHeaders.checked(at + "headers", name, parser.getString());
  }

  private List<String> destinations() {
    String allowed = "a list of 1 to %d destination ids".formatted(MOST_DESTINATIONS);
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw fault(Field.DESTINATIONS, kind(parser.currentToken()), allowed);
    }
    List<String> out = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String id = text(Field.DESTINATIONS, Texts.ID, Texts.ID_WORDS);
      if (out.size() == MOST_DESTINATIONS || out.contains(id)) {
        throw fault(Field.DESTINATIONS, out.contains(id) ? id + " twice" : "more", allowed);
      }
      out.add(id);
    }
    if (out.isEmpty()) {
      throw fault(Field.DESTINATIONS, "none", allowed + "; leave it out to use subscriptions");
    }
    return List.copyOf(out);
  }

  private String text(Field field, Pattern pattern, String allowed) {
    requireText(field, allowed);
    String text = parser.getString();
    if (!pattern.matcher(text).matches()) {
      throw fault(field, text.isEmpty() ? "an empty text" : text, allowed);
    }
    return text;
  }

  private void requireText(Field field, String allowed) {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw fault(field, kind(parser.currentToken()), allowed);
    }
  }

  private ProblemException fault(Field field, String got, String allowed) {
    return ProblemException.field(at + field.word, got, allowed);
  }

  /** Whether a text can be an idempotency key. */
  static boolean isKey(String text) {
    return KEY.matcher(text).matches();
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
