package io.penstock.testkit.receiver;

import io.penstock.engine.event.Header;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a {@link ScriptedReceiver} does with one request. */
public sealed interface Answer {

  /** A whole answer; {@code Content-Length} is added. */
  @SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed
  record Reply(int status, List<Header> headers, byte[] body) implements Answer {

    /** The same with one more header. */
    public Reply with(String name, String value) {
      List<Header> more = new ArrayList<>(headers);
      more.add(new Header(name, value));
      return new Reply(status, List.copyOf(more), body);
    }

    /** The same with this text as its body. */
    public Reply saying(String text) {
      return new Reply(status, headers, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Exactly these bytes, then the end of the connection. */
  @SuppressWarnings("ArrayRecordComponent") // raw bytes, shared and never changed
  record Raw(byte[] bytes) implements Answer {}

  /** Takes the request and says nothing for as long as the receiver lives. */
  record Hang() implements Answer {}

  /** Takes the request and resets the connection (RST). */
  record Reset() implements Answer {}

  /** Takes the request and closes the connection without a byte (FIN). */
  record Close() implements Answer {}

  /** Answers in pieces of so many bytes, one each {@code every}, headers included. */
  record Drip(Reply reply, int bytes, Duration every) implements Answer {}

  /** Holds the answer back until the receiver is told to {@link ScriptedReceiver#release}. */
  record Held(Answer then) implements Answer {}

  /** An answer with this status and an empty body. */
  static Reply status(int status) {
    return new Reply(status, List.of(), new byte[0]);
  }

  /** 200. */
  static Reply ok() {
    return status(200);
  }

  /** 429 with Retry-After in seconds. */
  static Reply throttled(int retryAfterSeconds) {
    return status(429).with("Retry-After", Integer.toString(retryAfterSeconds));
  }
}
