package io.penstock.push.outbound;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Apache's client with every habit taken off that would send something a second time, somewhere
 * else, or with something added. Where it has two switches for a habit, both are off.
 */
final class PlainHttpClient {
  /** Waiting longer for a connection means that the pool is smaller than the node's slots. */
  private static final Timeout FREE_CONNECTION = Timeout.ofSeconds(2);

  /** A connection unused for so long is looked at before it is used (it costs a millisecond). */
  private static final TimeValue LOOK_AFTER = TimeValue.ofSeconds(1);

  private PlainHttpClient() {}

  static CloseableHttpClient build(
      OutboundSettings settings, PoolingHttpClientConnectionManager connections) {
    return HttpClientBuilder.create()
        .setConnectionManager(connections)
        .setRequestExecutor(new PhasedExecutor())
        .setConnectionReuseStrategy((request, response, context) ->
            !((Exchange) context).isAnsweredEarly()
                && DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(
                    request, response, context))
        .setDefaultRequestConfig(requests(settings))
        .setUserAgent(settings.userAgent())
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableContentCompression()
        .disableAuthCaching()
        .disableConnectionState()
        .build();
  }

  private static RequestConfig requests(OutboundSettings settings) {
    Duration firstByte = settings.firstByte();
    return RequestConfig.custom()
        .setConnectionRequestTimeout(FREE_CONNECTION)
        .setResponseTimeout(firstByte == null ? null : Timeout.of(firstByte))
        .setDefaultKeepAlive(settings.idle().toMillis(), TimeUnit.MILLISECONDS)
        .setRedirectsEnabled(false)
        .setAuthenticationEnabled(false)
        .setExpectContinueEnabled(false)
        .setContentCompressionEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .build();
  }

  static PoolingHttpClientConnectionManager connections(
      OutboundSettings settings, HttpClientConnectionOperator dialer, Doubts doubts) {
    ConnectionConfig usual = lookedAtAfter(LOOK_AFTER, settings);
    ConnectionConfig careful = lookedAtAfter(TimeValue.ZERO_MILLISECONDS, settings);
    return new Builder(dialer)
        .setConnectionFactory(
            ManagedHttpClientConnectionFactory.builder()
                .http1Config(AnswerHeadParser.CONFIG)
                .responseParserFactory(_ -> new AnswerHeadParser())
                .build())
        .setMaxConnTotal(settings.connections())
        .setMaxConnPerRoute(settings.connectionsPerHost())
        .setConnectionConfigResolver(route -> doubts.about(route.getTargetHost()) ? careful : usual)
        .setOffLockDisposalEnabled(true)
        .build();
  }

  private static ConnectionConfig lookedAtAfter(TimeValue unused, OutboundSettings settings) {
    return ConnectionConfig.custom()
        .setTimeToLive(TimeValue.of(settings.timeToLive()))
        .setValidateAfterInactivity(unused)
        .build();
  }

  /** Puts our own way to a socket in the place of the client's. */
  private static final class Builder extends PoolingHttpClientConnectionManagerBuilder {
    private final HttpClientConnectionOperator dialer;

    Builder(HttpClientConnectionOperator dialer) {
      this.dialer = dialer;
    }

    @Override
    protected HttpClientConnectionOperator createConnectionOperator(
        SchemePortResolver ports, DnsResolver names, TlsSocketStrategy tls) {
      return dialer;
    }
  }
}
