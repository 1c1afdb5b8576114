package io.penstock.server.event;

import io.penstock.engine.event.Header;
import io.penstock.server.header.CustomHeaders;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.problem.ProblemException.Bound;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads an event's own headers: an object of texts. */
final class EventHeaders {
  private EventHeaders() {}

  /** From the token at which the parser stands to the closing brace. */
  static List<Header> read(JsonParser parser, EventRules rules) {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw rules.fault(
          "headers", EnvelopeReader.kind(parser.currentToken()), "an object of texts");
    }
    List<Header> out = new ArrayList<>();
    int bytes = 0;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      Header header = header(parser, rules, parser.currentName());
      bytes += header.name().length() + header.value().length();
      int most = rules.bounds().headerBytes();
      if (bytes > most || out.size() == CustomHeaders.MOST) {
        throw ProblemException.bound(
            ErrorCode.INVALID_FIELD,
            "%sheaders: at most %d with %,d bytes in all are taken"
                .formatted(rules.at(), CustomHeaders.MOST, most),
            new Bound("bounds.header_bytes", most, -1, "bytes"));
      }
      out.add(header);
    }
    return List.copyOf(out);
  }

  private static Header header(JsonParser parser, EventRules rules, String name) {
    if (parser.nextToken() != JsonToken.VALUE_STRING) {
      throw rules.fault("headers." + name, EnvelopeReader.kind(parser.currentToken()), "a text");
    }
    return CustomHeaders.checked(rules.at() + "headers", name, parser.getString());
  }
}
