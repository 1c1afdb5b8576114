package io.penstock.server.event;

import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.ledger.Freshness;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.problem.ProblemException.Bound;
import io.penstock.server.yaml.Quantities;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What every event obeys, whichever way it comes in: each method gives back what is right and
 * refuses the rest with field, value and range. Safe for use by many threads.
 *
 * @param at where the event stands, for messages: empty, or {@code events[3].}
 */
record EventRules(Bounds bounds, String at) {
  /** Most destinations that one event names; more is what subscriptions are for. */
  static final int MOST_DESTINATIONS = 100;

  static final String DESTINATIONS_WORDS =
      "a list of 1 to %d destination ids, each %s".formatted(MOST_DESTINATIONS, Texts.ID_WORDS);
  static final String ARTIFACTS_WORDS =
      "a list of 1 to %d names of artifacts, each %s"
          .formatted(Freshness.MOST_ARTIFACTS, Texts.ARTIFACT_WORDS);
  static final String FRESH_FOR_WORDS = "1s to 30d, for instance 6h";
  static final String JSON = "application/json";
  static final String KEY_WORDS = "1 to 255 printable ASCII characters without blanks";
  static final String URGENCY_WORDS = "interactive or batch";
  static final String MEDIA_TYPE_WORDS =
      "a media type of at most 200 characters, for instance application/json";
  static final String KEY_PART_WORDS = "1 to 100 of A-Z a-z 0-9 . _ : / -";

  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( ?;[ -~]*)?");
  private static final int MAX_MEDIA_TYPE_CHARS = 200;
  private static final Pattern JSON_MEDIA_TYPE =
      Pattern.compile("(?i)(application/json|[^;]+\\+json)( ?;.*)?");
  private static final Pattern KEY = Pattern.compile("[!-~]{1,255}");
  private static final Pattern KEY_PART = Pattern.compile("[A-Za-z0-9._:/-]{1,100}");
  private static final Map<String, Urgency> URGENCIES =
      Map.of("interactive", Urgency.INTERACTIVE, "batch", Urgency.BATCH);

  /** An id of a tenant or destination. */
  String id(String field, String text) {
    return matching(field, text, Texts.ID, Texts.ID_WORDS);
  }

  String type(String text) {
    if (!Texts.isType(text)) {
      throw fault("type", shown(text), Texts.TYPE_WORDS);
    }
    return text;
  }

  String contentType(String text) {
    if (text.length() > MAX_MEDIA_TYPE_CHARS) {
      throw fault("content_type", text, MEDIA_TYPE_WORDS);
    }
    return matching("content_type", text, MEDIA_TYPE, MEDIA_TYPE_WORDS);
  }

  /** Whether a payload of this type must be JSON. */
  static boolean isJson(String contentType) {
    return JSON_MEDIA_TYPE.matcher(contentType).matches();
  }

  Urgency urgency(String text) {
    Urgency found = URGENCIES.get(text);
    if (found == null) {
      throw fault("urgency", shown(text), URGENCY_WORDS);
    }
    return found;
  }

  void size(int bytes) {
    if (bytes > bounds.bodyBytes()) {
      throw ProblemException.bound(
          ErrorCode.BODY_TOO_LARGE,
          "%spayload has %,d bytes; at most %,d are taken".formatted(at, bytes, bounds.bodyBytes()),
          new Bound("bounds.body_bytes", bounds.bodyBytes(), bytes, "bytes"));
    }
  }

  /** One more of the destinations that the event names. */
  String destination(String text, List<String> before) {
    return oneMore(
        "destinations",
        matching("destinations", text, Texts.ID, DESTINATIONS_WORDS),
        before,
        MOST_DESTINATIONS,
        DESTINATIONS_WORDS);
  }

  /** One more of the artifacts that a run must have brought. */
  String artifact(String text, List<String> before) {
    return oneMore(
        "requires",
        matching("requires", text, Freshness.ARTIFACT, ARTIFACTS_WORDS),
        before,
        Freshness.MOST_ARTIFACTS,
        ARTIFACTS_WORDS);
  }

  private String oneMore(String field, String one, List<String> before, int most, String allowed) {
    if (before.size() == most || before.contains(one)) {
      throw fault(field, before.contains(one) ? one + " twice" : "more", allowed);
    }
    return one;
  }

  /** What an event is about. */
  String item(String text) {
    if (!Texts.isItem(text)) {
      throw fault("item", shown(text), Texts.ITEM_WORDS);
    }
    return text;
  }

  Duration freshFor(String text) {
    return Quantities.duration(text)
        .filter(d -> d.compareTo(Freshness.SHORTEST) >= 0 && d.compareTo(Freshness.LONGEST) <= 0)
        .orElseThrow(() -> fault("fresh_for", text, FRESH_FOR_WORDS));
  }

  /** When the event need not go where its item is fresh; null = it always goes. */
  @Nullable Freshness freshness(
      @Nullable String item,
      @Nullable Duration freshFor,
      boolean saysRequires,
      List<String> requires) {
    if (freshFor == null) {
      if (saysRequires) {
        throw fault("fresh_for", "nothing", FRESH_FOR_WORDS + ", because there is requires");
      }
      return null;
    }
    if (item == null) {
      throw fault("item", "nothing", Texts.ITEM_WORDS + ", because there is fresh_for");
    }
    return new Freshness(freshFor, requires);
  }

  /** A key that a producer chose. */
  String key(String text) {
    return matching("idempotency_key", text, KEY, KEY_WORDS);
  }

  /** Whether a text can be an idempotency key. */
  static boolean isKey(String text) {
    return KEY.matcher(text).matches();
  }

  /** One of the two parts from which a key is made. */
  String keyPart(String field, String text) {
    return matching(field, text, KEY_PART, KEY_PART_WORDS);
  }

  /** The producer's key, or the one that operation and source version make; all checked before. */
  @Nullable String idempotencyKey(
      @Nullable String key, @Nullable String operation, @Nullable String sourceVersion) {
    if ((operation == null) != (sourceVersion == null)) {
      throw fault(
          operation == null ? "operation" : "source_version",
          "nothing",
          "operation and source_version together");
    }
    if (operation == null) {
      return key;
    }
    if (key != null) {
      throw fault(
          "idempotency_key", key, "either idempotency_key or operation with source_version");
    }
    // Neither part can hold the @, so that two different pairs never make one key.
    return operation + "@" + sourceVersion;
  }

  ProblemException fault(String field, String got, String allowed) {
    return ProblemException.field(at + field, got, allowed);
  }

  private String matching(String field, String text, Pattern pattern, String allowed) {
    if (!pattern.matcher(text).matches()) {
      throw fault(field, shown(text), allowed);
    }
    return text;
  }

  private static String shown(String text) {
    return text.isEmpty() ? "an empty text" : text;
  }
}
