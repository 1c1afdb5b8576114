package io.penstock.server.receiver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small HTTP server on this machine that takes deliveries: for {@code listen} and {@code demo}.
 * Loopback only.
 */
public final class Receiver implements AutoCloseable {
  private static final int BACKLOG = 256;

  /** Answers one delivery; called by many threads. */
  @FunctionalInterface
  public interface Answering {
    /** What to answer to these bytes. */
    Reply answer(HttpExchange exchange, byte[] body);
  }

  /**
   * An answer.
   *
   * @param retryAfterSeconds sent as Retry-After when positive
   */
  public record Reply(int status, int retryAfterSeconds) {
    public static Reply of(int status) {
      return new Reply(status, 0);
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Begins to listen.
   *
   * @param port 0 = any free one
   */
  public Receiver(int port, Answering answering) {
    try {
      server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "port %d of this machine cannot be listened on: %s".formatted(port, e.getMessage()), e);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> handle(exchange, answering));
    server.start();
  }

  private static void handle(HttpExchange exchange, Answering answering) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Reply reply = answering.answer(exchange, body);
      if (reply.retryAfterSeconds() > 0) {
        exchange
            .getResponseHeaders()
            .set("Retry-After", Integer.toString(reply.retryAfterSeconds()));
      }
      exchange.sendResponseHeaders(reply.status(), -1);
    }
  }

  /** Where deliveries go. */
  public String url() {
    return "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
