package io.penstock.gameday.load;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One keep-alive HTTP/1.1 connection, as cheap as possible: the machine's cores belong to what is
 * measured. Reconnects after a failure. For one thread.
 */
public final class HttpConnection implements AutoCloseable {
  /** No answer of an API that works takes longer. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int BUFFER = 64 << 10;
  private static final int LONGEST_LINE = 16 << 10;

  private final URI base;
  private final String headers;
  private @org.jspecify.annotations.Nullable Socket socket;
  private InputStream in = InputStream.nullInputStream();
  private OutputStream out = OutputStream.nullOutputStream();

  /** An answer with its whole body. */
  @SuppressWarnings("ArrayRecordComponent") // bytes as they came; compared nowhere
  public record Response(int status, byte[] body) {
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  /**
   * @param key a bearer key; empty = none
   */
  public HttpConnection(URI base, String key) {
    this.base = base;
    this.headers =
        "host: "
            + base.getAuthority()
            + "\r\ncontent-type: application/json\r\n"
            + (key.isEmpty() ? "" : "authorization: Bearer " + key + "\r\n");
  }

  public Response post(String path, byte[] body) throws IOException {
    return send("POST " + path, body);
  }

  public Response get(String path) throws IOException {
    return send("GET " + path, new byte[0]);
  }

  private Response send(String methodAndPath, byte[] body) throws IOException {
    boolean answered = false;
    try {
      connect();
      String head =
          methodAndPath + " HTTP/1.1\r\n" + headers + "content-length: " + body.length + "\r\n\r\n";
      out.write(head.getBytes(StandardCharsets.ISO_8859_1));
      out.write(body);
      out.flush();
      Response response = read();
      answered = true;
      return response;
    } finally {
      if (!answered) {
        close();
      }
    }
  }

  private void connect() throws IOException {
    if (socket != null) {
      return;
    }
    Socket fresh = new Socket(base.getHost(), base.getPort());
    fresh.setTcpNoDelay(true);
    fresh.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
    in = new BufferedInputStream(fresh.getInputStream(), BUFFER);
    out = new BufferedOutputStream(fresh.getOutputStream(), BUFFER);
    socket = fresh;
  }

  private Response read() throws IOException {
    String[] words = line().split(" ", 3);
    int status = Integer.parseInt(words[1]);
    int length = 0;
    boolean chunked = false;
    boolean last = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring("content-length:".length()).strip());
      }
      chunked |= header.startsWith("transfer-encoding:") && header.endsWith("chunked");
      last |= header.startsWith("connection:") && header.endsWith("close");
    }
    byte[] body = chunked ? chunks() : exactly(length);
    if (last) {
      close();
    }
    return new Response(status, body);
  }

  private byte[] chunks() throws IOException {
    java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      all.write(exactly(size));
      line();
    }
    line();
    return all.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the server closed in the middle of an answer");
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.length() > LONGEST_LINE) {
        throw new EOFException("the server closed without an answer");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    Socket open = socket;
    socket = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException alreadyGone) {
        // Nothing is left to close.
      }
    }
  }
}
