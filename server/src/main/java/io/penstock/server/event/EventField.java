package io.penstock.server.event;

import io.penstock.server.json.Json;
import io.penstock.server.problem.ProblemException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads an event that is a field of a larger request, with its payload as it stands there. Safe for
 * use by many threads.
 */
public final class EventField {
  private EventField() {}

  /**
   * The event in the field {@code name} of the object that {@code body} is. Other fields are passed
   * over: who reads them refuses what is unknown or there twice.
   */
  public static Posted read(Bounds bounds, byte[] body, String name) {
    try (JsonParser parser = Json.parser(body)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          boolean found = parser.currentName().equals(name);
          JsonToken value = parser.nextToken();
          if (found && value == JsonToken.START_OBJECT) {
            return new EnvelopeReader(bounds, body, parser, name + ".").read();
          }
          if (found) {
            throw ProblemException.field(
                name, EnvelopeReader.kind(value), "an event, as an object");
          }
          parser.skipChildren();
        }
      }
      throw ProblemException.field(name, "nothing", "an event, as an object");
    } catch (JacksonException e) {
      throw Json.malformed(e);
    }
  }
}
