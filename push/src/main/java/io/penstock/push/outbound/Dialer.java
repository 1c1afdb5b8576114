package io.penstock.push.outbound;

import io.penstock.push.guard.Guard;
import io.penstock.push.guard.Target;
import io.penstock.push.guard.Verdict.Refused;
import io.penstock.push.lookup.Names;
import io.penstock.push.lookup.Resolution;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections: looks the name up, has the guard judge every address, and dials one that it
 * judged. It stands where the HTTP client would otherwise resolve and connect, so that there is no
 * second look-up between check and connect, and no way to a socket around it. Safe for use by many
 * threads.
 */
final class Dialer implements HttpClientConnectionOperator {
  /** A name has to be found within this; the rest of the deadline is for the receiver. */
  private static final Duration LOOK_UP = Duration.ofSeconds(5);

  private final Guard guard;
  private final Names names;
  private final TlsSocketStrategy tls;
  private final Duration connect;

  Dialer(Guard guard, Names names, TlsSocketStrategy tls, Duration connect) {
    this.guard = guard;
    this.names = names;
    this.tls = tls;
    this.connect = connect;
  }

  @Override
  public void connect(
      ManagedHttpClientConnection connection,
      HttpHost host,
      @Nullable InetSocketAddress localAddress,
      @Nullable TimeValue connectTimeout,
      SocketConfig socketConfig,
      HttpContext context)
      throws IOException {
    if (!(context instanceof Exchange exchange)) {
      throw new IllegalStateException("a connection is opened for a call, got " + context);
    }
    Target target = exchange.target();
    List<InetAddress> addresses = allowedAddresses(exchange, target);
    Socket socket = dialFirst(connection, exchange, addresses);
    if (target.tls()) {
      secure(connection, socket, exchange);
    }
  }

  private List<InetAddress> allowedAddresses(Exchange exchange, Target target)
      throws CallFailedException, InterruptedIOException {
    InetAddress literal = target.literal();
    List<InetAddress> addresses =
        literal == null ? lookUp(exchange, target.host()) : List.of(literal);
    Optional<Refused> refusal = guard.refusal(target.host(), addresses);
    if (refusal.isPresent()) {
      throw new CallFailedException(Failure.ADDRESS_REFUSED, refusal.get().message(), null);
    }
    return addresses;
  }

  private List<InetAddress> lookUp(Exchange exchange, String host)
      throws CallFailedException, InterruptedIOException {
    Duration patience = Duration.ofNanos(Math.min(LOOK_UP.toNanos(), exchange.remainingNanos()));
    try {
      return switch (names.resolve(host, patience)) {
        case Resolution.Found(List<InetAddress> addresses) -> addresses;
        case Resolution.NotFound _ -> throw dns(Failure.DNS_NOT_FOUND, host, "does not resolve");
        case Resolution.Late _ ->
            throw dns(Failure.DNS_TIMED_OUT, host, "did not resolve within " + patience);
        case Resolution.NodeTrouble _ ->
            throw dns(Failure.DNS_NODE_TROUBLE, host, "and unrelated names do not resolve");
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted at " + host);
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private static CallFailedException dns(Failure failure, String host, String what) {
    return new CallFailedException(failure, host + " " + what, null);
  }

  private Socket dialFirst(
      ManagedHttpClientConnection connection, Exchange exchange, List<InetAddress> addresses)
      throws CallFailedException {
    CallFailedException failed = null;
    for (int i = 0; i < addresses.size(); i++) {
      // A dead first address leaves the others their share of the time.
      long share = exchange.remainingNanos() / (addresses.size() - i);
      Duration patience = Duration.ofNanos(Math.min(connect.toNanos(), share));
      try {
        return dial(connection, exchange, addresses.get(i), patience);
      } catch (IOException e) {
        failed = dialFailed(e, exchange.target(), addresses.get(i), patience);
      }
    }
    if (failed == null) {
      throw new IllegalStateException("a look-up that succeeds has at least one address");
    }
    throw failed;
  }

  private static Socket dial(
      ManagedHttpClientConnection connection,
      Exchange exchange,
      InetAddress address,
      Duration patience)
      throws IOException {
    exchange.dialling(address);
    Socket socket = open();
    try {
      connection.bind(socket);
      socket.connect(new InetSocketAddress(address, exchange.target().port()), millis(patience));
      connection.bind(socket);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket open() throws CallFailedException {
    // Without NO_PROXY the JDK would ask its system properties for a SOCKS proxy.
    Socket socket = new Socket(Proxy.NO_PROXY);
    try {
      socket.setTcpNoDelay(true); // and this takes the descriptor
      return socket;
    } catch (IOException e) {
      throw new CallFailedException(
          Failure.NO_SOCKET, "the node cannot open a socket (%s)".formatted(e), e);
    }
  }

  private static CallFailedException dialFailed(
      IOException e, Target target, InetAddress address, Duration patience) {
    Failure failure =
        switch (e) {
          case CallFailedException known -> known.failure();
          case SocketTimeoutException _ -> Failure.CONNECT_TIMED_OUT;
          case NoRouteToHostException _ -> Failure.UNREACHABLE;
          case ConnectException _ -> Failure.CONNECT_REFUSED;
          default -> Failure.UNREACHABLE;
        };
    return new CallFailedException(
        failure,
        "%s, port %d at %s: no connection within %s (%s)"
            .formatted(target.host(), target.port(), address.getHostAddress(), patience, e),
        e);
  }

  private void secure(ManagedHttpClientConnection connection, Socket socket, Exchange exchange)
      throws CallFailedException {
    Target target = exchange.target();
    try {
      socket.setSoTimeout(
          millis(Duration.ofNanos(Math.min(connect.toNanos(), exchange.remainingNanos()))));
      connection.bind(tls.upgrade(socket, target.host(), target.port(), null, exchange), socket);
      socket.setSoTimeout(0);
    } catch (IOException e) {
      throw new CallFailedException(
          isUntrusted(e) ? Failure.TLS_UNTRUSTED : Failure.TLS_FAILED,
          "%s, port %d: no TLS (%s)".formatted(target.host(), target.port(), e),
          e);
    }
  }

  private static boolean isUntrusted(IOException e) {
    return e instanceof SSLPeerUnverifiedException
        || (e instanceof SSLException && e.getCause() instanceof CertificateException);
  }

  private static int millis(Duration duration) {
    return (int) Math.max(1, duration.toMillis());
  }

  /** For proxies only, and there are none. */
  @Override
  public void upgrade(ManagedHttpClientConnection connection, HttpHost host, HttpContext context) {
    throw new IllegalStateException("nothing is sent through a proxy");
  }
}
