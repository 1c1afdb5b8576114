package io.penstock.server.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;

/** Speaks bytes, for requests that no HTTP client makes. */
public final class Raw {
  private static final int PATIENCE_MILLIS = 20_000;

  private Raw() {}

  /** Sends the bytes of a text and returns all that comes back until the server closes. */
  public static String exchange(URI server, String request) {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
