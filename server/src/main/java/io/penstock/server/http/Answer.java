package io.penstock.server.http;

import io.penstock.server.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a handler answers. */
@SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed; compared nowhere
public record Answer(int status, String mediaType, byte[] body, Map<String, String> headers) {

  /** 200 with JSON. */
  public static Answer ok(Object value) {
    return json(200, value);
  }

  /** JSON with another status. */
  public static Answer json(int status, Object value) {
    return new Answer(status, "application/json", Json.write(value), Map.of());
  }

  /** Text or bytes as they are. */
  public static Answer of(int status, String mediaType, byte[] body) {
    return new Answer(status, mediaType, body, Map.of());
  }

  /** The same with another media type. */
  Answer withMediaType(String other) {
    return new Answer(status, other, body, headers);
  }

  /** The same with one more header. */
  public Answer with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Answer(status, mediaType, body, more);
  }
}
