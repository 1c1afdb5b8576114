package io.penstock.server.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.FieldFault;
import io.penstock.server.problem.ProblemException;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON in and out: one strict reader, one writer. Safe for use by many threads. */
public final class Json {
  private Json() {}

  /** Deepest nesting that a body may have; deeper ones serve only to exhaust stacks. */
  public static final int MAX_DEPTH = 200;

  /** Most characters of one name in a body. */
  public static final int MAX_NAME_CHARS = 1_000;

  // Lengths of numbers and strings are bounded by the body's own bound: payloads are skipped, never
  // turned into numbers.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(MAX_NAME_CHARS)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(i -> i.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();

  /** Writes records with names in snake_case; null members are left out. */
  public static byte[] write(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /** As {@link #write}, as text on one line. */
  public static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** Reads text that is JSON for sure, for instance our own answers. */
  public static JsonNode tree(String text) {
    return MAPPER.readTree(text);
  }

  /** Reads the body of a small request, whose top must be an object. */
  public static Fields fields(byte[] body) {
    checkBytes(body);
    JsonNode node;
    try {
      node = MAPPER.readTree(body);
    } catch (JacksonException e) {
      throw malformed(e);
    }
    if (!(node instanceof ObjectNode object)) {
      throw ProblemException.of(
          ErrorCode.MALFORMED_JSON,
          "wanted a JSON object, got "
              + (node.isMissingNode()
                  ? "an empty body"
                  : node.getNodeType().name().toLowerCase(Locale.ROOT)));
    }
    return new Fields("", object);
  }

  /** Refuses bytes that are not exactly one JSON value; builds nothing. */
  public static void skim(byte[] value) {
    try (JsonParser parser = parser(value)) {
      parser.nextToken();
      parser.skipChildren();
      parser.finishToken();
      if (parser.nextToken() != null) {
        throw ProblemException.of(ErrorCode.MALFORMED_JSON, "wanted one JSON value, got more");
      }
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  /** A parser over a body whose byte offsets are offsets into the array. */
  public static JsonParser parser(byte[] body) {
    checkBytes(body);
    return FACTORY.createParser(ObjectReadContext.empty(), body);
  }

  /** What to answer for text that the parser refused. */
  public static ProblemException malformed(JacksonException e) {
    String where =
        e.getLocation() == null
            ? ""
            : "line %d, column %d: "
                .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
    String what =
        e instanceof StreamConstraintsException
            ? "nested deeper than %d or with a name of more than %d characters"
                .formatted(MAX_DEPTH, MAX_NAME_CHARS)
            : FieldFault.shown(String.valueOf(e.getOriginalMessage()));
    return ProblemException.of(ErrorCode.MALFORMED_JSON, where + what);
  }

  private static void checkBytes(byte[] body) {
    if (body.length == 0) {
      throw ProblemException.of(
          ErrorCode.MALFORMED_JSON, "wanted a JSON object, got an empty body");
    }
    int fault = Utf8.firstFault(body);
    if (fault >= 0) {
      throw ProblemException.of(
          ErrorCode.MALFORMED_JSON,
          "wanted JSON in UTF-8, got byte 0x%02x at offset %d, which %s"
              .formatted(
                  body[fault],
                  fault,
                  body[fault] == 0 ? "no JSON text contains" : "is not UTF-8 at this place"));
    }
    if (body.length >= 3 && body[0] == (byte) 0xef && body[1] == (byte) 0xbb) {
      throw ProblemException.of(
          ErrorCode.MALFORMED_JSON, "wanted JSON, got a byte order mark; send plain UTF-8");
    }
  }
}
