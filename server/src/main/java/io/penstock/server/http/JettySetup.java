package io.penstock.server.http;

import io.penstock.server.json.Json;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.Problem;
import io.penstock.server.problem.ProblemException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Jetty as we want it: bounded, quiet, and with our own answers to what it refuses by itself. */
final class JettySetup {
  private JettySetup() {}

  /** All headers of a request together; more is refused with 431. */
  static final int HEADER_BYTES = 16 << 10;

  /** How long a connection may be silent in the middle of a request, or between two. */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** Connections that wait to be accepted while the machine is busy. */
  private static final int ACCEPT_QUEUE = 1_024;

  private static final int ONE = 1;

  static void server(Server server) {
    server.setErrorHandler(new ProblemErrorHandler());
    server.setStopAtShutdown(false);
  }

  static void context(ServletContextHandler context) {
    context.setErrorHandler(new ProblemErrorHandler());
  }

  static ServerConnector connector(Server server, HttpSettings settings) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    ServerConnector connector =
        new ServerConnector(server, ONE, ONE, new HttpConnectionFactory(http));
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setIdleTimeout(IDLE.toMillis());
    connector.setAcceptQueueSize(ACCEPT_QUEUE);
    return connector;
  }

  /** Answers what never reached a route: broken request lines, bad escapes, headers too large. */
  private static final class ProblemErrorHandler extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      int status = response.getStatus() >= 400 ? response.getStatus() : 500;
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
      response.write(true, ByteBuffer.wrap(body(status)), callback);
      return true;
    }

    private static byte[] body(int status) {
      ErrorCode code =
          switch (status) {
            case 431 -> ErrorCode.HEADERS_TOO_LARGE;
            case 404 -> ErrorCode.NOT_FOUND;
            case 405 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 413 -> ErrorCode.BODY_TOO_LARGE;
            default -> status < 500 ? ErrorCode.BAD_PARAMETER : ErrorCode.INTERNAL;
          };
      String detail =
          code == ErrorCode.HEADERS_TOO_LARGE
              ? "the headers together may have %,d bytes".formatted(HEADER_BYTES)
              : "the request is not HTTP as it should be: its line, escapes or headers are broken";
      return Json.write(Problem.of(ProblemException.of(code, detail), null).withStatus(status));
    }
  }
}
