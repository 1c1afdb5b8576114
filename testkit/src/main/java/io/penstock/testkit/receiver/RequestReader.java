package io.penstock.testkit.receiver;

import io.penstock.engine.event.Header;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads requests off one connection: as much of HTTP/1.1 as clients send. One thread. */
final class RequestReader {
  private final InputStream in;

  RequestReader(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** The next request, or null at the end of the connection. */
  @Nullable Received next() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    String start = line(head);
    if (start == null) {
      return null;
    }
    List<Header> headers = new ArrayList<>();
    for (String line = some(line(head)); !line.isEmpty(); line = some(line(head))) {
      int colon = line.indexOf(':');
      headers.add(new Header(line.substring(0, colon), line.substring(colon + 1).strip()));
    }
    String[] parts = start.split(" ", 3);
    return new Received(
        parts[0], parts[1], List.copyOf(headers), head.toByteArray(), body(headers));
  }

  private byte[] body(List<Header> headers) throws IOException {
    for (Header header : headers) {
      String name = header.name().toLowerCase(Locale.ROOT);
      if (name.equals("content-length")) {
        return exactly(Integer.parseInt(header.value()));
      }
      if (name.equals("transfer-encoding")) {
        return chunks();
      }
    }
    return new byte[0];
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    ByteArrayOutputStream framing = new ByteArrayOutputStream();
    while (true) {
      String size = some(line(framing));
      int semicolon = size.indexOf(';');
      int length = Integer.parseInt(semicolon < 0 ? size : size.substring(0, semicolon), 16);
      if (length == 0) {
        while (!some(line(framing)).isEmpty()) {
          framing.reset();
        }
        return body.toByteArray();
      }
      body.write(exactly(length));
      some(line(framing));
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the body ended after " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  /** A line without its end, whose bytes go to {@code raw}; null at the end of the stream. */
  private @Nullable String line(ByteArrayOutputStream raw) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      raw.write(b);
      if (b == '\n') {
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      line.write(b);
    }
    return null;
  }

  private static String some(@Nullable String line) throws EOFException {
    if (line == null) {
      throw new EOFException("the request ended in its head");
    }
    return line;
  }
}
