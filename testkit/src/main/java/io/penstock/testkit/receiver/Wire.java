package io.penstock.testkit.receiver;

import io.penstock.engine.event.Header;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Answers as bytes. */
final class Wire {
  private Wire() {}

  static byte[] bytes(Answer.Reply reply) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + reply.status() + " Scripted\r\n");
    for (Header header : reply.headers()) {
      head.append(header.name()).append(": ").append(header.value()).append("\r\n");
    }
    head.append("Content-Length: ").append(reply.body().length).append("\r\n\r\n");
    byte[] first = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[first.length + reply.body().length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(reply.body(), 0, all, first.length, reply.body().length);
    return all;
  }

  static boolean closes(Answer.Reply reply) {
    return reply.headers().stream()
        .anyMatch(header ->
            header.name().toLowerCase(Locale.ROOT).equals("connection")
                && header.value().toLowerCase(Locale.ROOT).equals("close"));
  }
}
