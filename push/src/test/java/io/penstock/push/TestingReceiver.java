package io.penstock.push;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A receiver on a bare socket that does exactly what its script says, to the byte. */
final class TestingReceiver implements AutoCloseable {
  /** A complete answer that keeps the connection. */
  static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static final int BACKLOG = 50;
  private static final int TEST_TIMEOUT_MILLIS = 10_000;

  /** What happens on one connection. */
  @FunctionalInterface
  interface Script {
    void serve(Conversation with) throws IOException;
  }

  /** One request as it came. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Request(List<String> head, byte[] body) {
    /** The value of the first header with exactly this name; empty when there is none. */
    String header(String name) {
      return head.stream()
          .filter(line -> line.startsWith(name + ": "))
          .map(line -> line.substring(name.length() + 2))
          .findFirst()
          .orElse("");
    }
  }

  private final ServerSocket server;
  private final Script script;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CompletableFuture<Void> hungUp = new CompletableFuture<>();

  TestingReceiver(Script script) throws IOException {
    this(script, new ServerSocket(), "127.0.0.1");
  }

  TestingReceiver(Script script, ServerSocket server, String address) throws IOException {
    this.script = script;
    this.server = server;
    server.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0), BACKLOG);
    Thread.ofVirtual().start(this::accept);
  }

  /** Answers every request with the same bytes. */
  static TestingReceiver answering(String answer) throws IOException {
    return new TestingReceiver(with -> {
      while (with.request() != null) {
        with.write(answer);
      }
    });
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/hook";
  }

  List<Request> requests() {
    return requests;
  }

  int connections() {
    return connections.get();
  }

  /** Completes when a script has seen the end of its connection. */
  CompletableFuture<Void> hungUp() {
    return hungUp;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setSoTimeout(TEST_TIMEOUT_MILLIS);
      script.serve(new Conversation(socket));
    } catch (IOException _) {
      hungUp.complete(null);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /** The receiver's side of one connection. */
  final class Conversation {
    private final Socket socket;
    private final InputStream in;

    Conversation(Socket socket) throws IOException {
      this.socket = socket;
      this.in = socket.getInputStream();
    }

    /** Reads one request to its end; null when the sender has hung up. */
    @Nullable Request request() throws IOException {
      List<String> head = head();
      if (head.isEmpty()) {
        hungUp.complete(null);
        return null;
      }
      int length = 0;
      for (String line : head) {
        if (line.startsWith("Content-Length: ")) {
          length = Integer.parseInt(line.substring("Content-Length: ".length()));
        }
      }
      Request request = new Request(head, in.readNBytes(length));
      requests.add(request);
      return request;
    }

    /** Reads request line and headers only. */
    List<String> head() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        int next = in.read();
        if (next < 0) {
          return List.of();
        }
        bytes.write(next);
      }
      return List.of(bytes.toString(StandardCharsets.ISO_8859_1).strip().split("\r\n", -1));
    }

    void write(String text) throws IOException {
      write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    }

    /** Waits for the sender's first byte. */
    void untilByte() throws IOException {
      in.read();
    }

    /** Waits for the sender to hang up. */
    void untilHungUp() throws IOException {
      while (in.read() >= 0) {
        // whatever else it says
      }
      hungUp.complete(null);
    }

    /** Ends the connection. */
    void close() throws IOException {
      socket.close();
    }

    /** Ends the connection with a reset. */
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }
}
