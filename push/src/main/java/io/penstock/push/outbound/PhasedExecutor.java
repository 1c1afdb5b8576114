package io.penstock.push.outbound;

import java.io.IOException;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.io.Closer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a request and reads the head of its answer, and tells the exchange how far it has come:
 * the outcome of a failure depends on that. Safe for use by many threads.
 */
final class PhasedExecutor extends HttpRequestExecutor {

  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request,
      HttpClientConnection connection,
      @Nullable HttpResponseInformationCallback information,
      HttpContext context)
      throws IOException, HttpException {
    if (!(context instanceof Exchange exchange)) {
      throw new IllegalStateException("a request belongs to a call, got " + context);
    }
    try {
      ClassicHttpResponse early = write(request, connection, exchange);
      ClassicHttpResponse response = early == null ? finalHead(connection) : early;
      // A 204 or 304 has no body, whatever its head says: to read one would wait for ever.
      if (MessageSupport.canResponseHaveBody(request.getMethod(), response)) {
        connection.receiveResponseEntity(response);
      }
      return response;
    } catch (HttpException | IOException | RuntimeException e) {
      Closer.close(connection, CloseMode.IMMEDIATE);
      throw e;
    } catch (Error e) {
      // Let out as it is, it would make the client close its pool for good.
      Closer.close(connection, CloseMode.IMMEDIATE);
      throw new CallFailedException(Failure.INTERNAL, "the node is in trouble", e);
    }
  }

  /**
   * Writes the request. A receiver may answer and hang up before it has read everything (413, 429);
   * then the rest cannot be written, and that answer is returned. Null is the usual case.
   */
  private static @Nullable ClassicHttpResponse write(
      ClassicHttpRequest request, HttpClientConnection connection, Exchange exchange)
      throws IOException, HttpException {
    exchange.sendingOver(connection);
    try {
      connection.sendRequestHeader(request);
      connection.sendRequestEntity(request);
      connection.flush();
    } catch (SSLException e) {
      throw e;
    } catch (IOException e) {
      return earlyAnswer(connection, exchange, e);
    }
    exchange.sent();
    return null;
  }

  private static ClassicHttpResponse earlyAnswer(
      HttpClientConnection connection, Exchange exchange, IOException broken)
      throws IOException, HttpException {
    try {
      ClassicHttpResponse response = finalHead(connection);
      exchange.answeredEarly();
      return response;
    } catch (HttpException | IOException e) {
      broken.addSuppressed(e);
      throw broken;
    }
  }

  /** Skips interim answers (1xx); the call's deadline bounds how many there can be. */
  private static ClassicHttpResponse finalHead(HttpClientConnection connection)
      throws IOException, HttpException {
    ClassicHttpResponse response;
    do {
      response = connection.receiveResponseHeader();
    } while (response.getCode() < HttpStatus.SC_SUCCESS);
    return response;
  }
}
