package io.penstock.push.outbound;

import io.penstock.engine.event.Header;
import io.penstock.push.guard.Guard;
import io.penstock.push.guard.Target;
import io.penstock.push.guard.Verdict;
import io.penstock.push.lookup.Names;
import io.penstock.push.outbound.AnswerHeadParser.HeadTooLargeException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.util.TimeValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only way out of the node over HTTP: deliveries, test sends and whatever else calls a URL that
 * somebody configured go through it, and so through the guard, the deadlines and the bounds. One
 * request is one request: nothing is retried, redirected, decompressed, remembered in cookies or
 * sent through a proxy that the system names. Safe for use by many virtual threads.
 */
public final class OutboundClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboundClient.class);

  /** Bytes of an answer's body that are kept. */
  public static final int HEAD_BYTES = 4 * 1024;

  /** Bytes of a body that are read so that the connection can be used again; more closes it. */
  private static final int DRAIN_BYTES = 64 * 1024;

  /** How often unused connections are looked through. */
  private static final Duration SWEEP = Duration.ofSeconds(5);

  private final Guard guard;
  private final PoolingHttpClientConnectionManager connections;
  private final CloseableHttpClient client;
  private final Doubts doubts;
  private final ScheduledExecutorService timer;
  private final Future<?> sweep;
  private final LongSupplier nanos;

  /**
   * @param timer ends calls at their deadlines and closes unused connections; not closed here
   * @param nanos a monotonic clock
   */
  public OutboundClient(
      OutboundSettings settings,
      Guard guard,
      Names names,
      ScheduledExecutorService timer,
      LongSupplier nanos) {
    SSLContext tls = settings.tls();
    Dialer dialer =
        new Dialer(
            guard,
            names,
            tls == null
                ? DefaultClientTlsStrategy.createDefault()
                : new DefaultClientTlsStrategy(tls),
            settings.connect());
    this.guard = guard;
    this.doubts = new Doubts(nanos);
    this.connections = PlainHttpClient.connections(settings, dialer, doubts);
    this.client = PlainHttpClient.build(settings, connections);
    this.timer = timer;
    this.nanos = nanos;
    TimeValue idle = TimeValue.of(settings.idle());
    this.sweep =
        timer.scheduleWithFixedDelay(
            () -> connections.closeIdle(idle),
            SWEEP.toMillis(),
            SWEEP.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** Judges a URL without looking its host up; what it allows can be called. */
  public Verdict check(String url) {
    return guard.check(url);
  }

  /**
   * Makes one call and waits for its end. Only on virtual threads: the deadline interrupts the
   * thread, and that closes a socket for them alone. Leaves the thread uninterrupted by it.
   */
  public CallResult call(Call call) {
    if (!Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "calls are made on virtual threads, whose sockets can be closed by an interrupt");
    }
    Exchange exchange = new Exchange(call, nanos);
    Future<?> alarm =
        timer.schedule(exchange::expire, call.deadline().toNanos(), TimeUnit.NANOSECONDS);
    try {
      return exchange(call, exchange);
    } catch (IOException | RuntimeException e) {
      return failed(e, exchange);
    } finally {
      alarm.cancel(false);
      exchange.finish();
      call.body().release();
    }
  }

  private CallResult failed(Exception e, Exchange exchange) {
    exchange.finish();
    if (e instanceof HeadTooLargeException tooLarge) {
      return new CallResult.Answered(tooLarge.status(), List.of(), new byte[0], exchange.address());
    }
    Failure failure = Failure.of(e, exchange.phase(), exchange.isExpired());
    if (exchange.isOverUsedConnection() && failure.isHangUp()) {
      doubts.raise(host(exchange.target()));
    }
    if (failure == Failure.INTERNAL) {
      LOG.error("a call to {} ended in a bug", exchange.target().host(), e);
    }
    return new CallResult.Failed(failure, String.valueOf(e.getMessage()), exchange.address());
  }

  private CallResult exchange(Call call, Exchange exchange) throws IOException {
    Target target = call.target();
    ClassicHttpResponse response =
        client.executeOpen(host(target), request(call, target), exchange);
    byte[] head = readBody(response, exchange);
    return new CallResult.Answered(response.getCode(), headers(response), head, exchange.address());
  }

  private static HttpHost host(Target target) {
    return new HttpHost(target.scheme(), target.host(), target.port());
  }

  private static ClassicHttpRequest request(Call call, Target target) {
    BasicClassicHttpRequest request = new BasicClassicHttpRequest(call.method(), target.path());
    request.setScheme(target.scheme());
    request.setAuthority(
        new URIAuthority(target.host(), target.onDefaultPort() ? -1 : target.port()));
    for (Header header : call.headers()) {
      request.addHeader(new BasicHeader(header.name(), header.value()));
    }
    request.setEntity(call.body().entity());
    return request;
  }

  private static List<Header> headers(ClassicHttpResponse response) {
    List<Header> headers = new ArrayList<>();
    for (org.apache.hc.core5.http.Header header : response.getHeaders()) {
      headers.add(new Header(header.getName(), header.getValue()));
    }
    return headers;
  }

  /**
   * The first bytes of the body. The rest is read only as far as that is cheaper than a new
   * connection; beyond that the connection is broken off. A body that ends early, or drips until
   * the deadline, takes nothing back from the status.
   */
  private static byte[] readBody(ClassicHttpResponse response, Exchange exchange) {
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      return new byte[0];
    }
    long announced = entity.getContentLength();
    byte[] head = new byte[announced < 0 ? HEAD_BYTES : (int) Math.min(HEAD_BYTES, announced)];
    int kept = 0;
    boolean ended = false;
    try {
      InputStream in = entity.getContent();
      for (int read = 0; read >= 0 && kept < head.length; kept += Math.max(read, 0)) {
        read = in.read(head, kept, head.length - kept);
      }
      ended = announced <= DRAIN_BYTES && ends(in);
    } catch (IOException _) {
      // The status counts; what is missing of the body is not worth another attempt.
    }
    if (!ended) {
      exchange.hangUp();
    }
    closeQuietly(response);
    return kept == head.length ? head : Arrays.copyOf(head, kept);
  }

  /** Reads on; false when the body does not end within the bound. */
  private static boolean ends(InputStream in) throws IOException {
    if (in.read() < 0) {
      return true;
    }
    byte[] dropped = new byte[HEAD_BYTES];
    int left = DRAIN_BYTES;
    while (left > 0) {
      int read = in.read(dropped);
      if (read < 0) {
        return true;
      }
      left -= read;
    }
    return false;
  }

  private static void closeQuietly(ClassicHttpResponse response) {
    try {
      response.close();
    } catch (IOException _) {
      // Nothing is left to be read, and a broken connection is not used again.
    }
  }

  @Override
  public void close() {
    sweep.cancel(false);
    client.close(CloseMode.IMMEDIATE);
  }
}
