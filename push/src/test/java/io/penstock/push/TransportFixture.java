package io.penstock.push;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.event.EventContent;
import io.penstock.engine.event.Header;
import io.penstock.engine.limits.OutcomeOverrides;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.push.guard.EgressPolicy;
import io.penstock.push.guard.Guard;
import io.penstock.push.lookup.LookupPool;
import io.penstock.push.lookup.Names;
import io.penstock.push.outbound.OutboundClient;
import io.penstock.push.outbound.OutboundSettings;
import io.penstock.push.secret.EnvironmentStore;
import io.penstock.push.secret.Secrets;
import io.penstock.push.signing.Keyring;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/** A transport with loopback allowed, real sockets, and a timer in the test's hand. */
final class TransportFixture implements AutoCloseable {
  static final UUID EVENT = UUID.fromString("0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
  static final Instant SENT_AT = Instant.parse("2026-11-30T12:00:00Z");
  static final Duration DEADLINE = Duration.ofSeconds(15);
  private static final long TEST_TIMEOUT_SECONDS = 20;

  final TestingTimer timer = new TestingTimer();
  final Map<String, String> environment = new HashMap<>();
  final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong nanos = new AtomicLong();
  private final ThreadPoolExecutor pool = LookupPool.named("test-lookup");
  final OutboundClient client;
  final HttpTransport transport;

  TransportFixture() {
    this(EgressPolicy.WITH_LOOPBACK, InetAddress::getAllByName, UnaryOperator.identity());
  }

  TransportFixture(EgressPolicy policy, Names.Resolver resolver) {
    this(policy, resolver, UnaryOperator.identity());
  }

  static TransportFixture trusting(SSLContext tls, Names.Resolver resolver) {
    return new TransportFixture(
        EgressPolicy.WITH_LOOPBACK,
        resolver,
        settings ->
            new OutboundSettings(
                settings.userAgent(),
                settings.connect(),
                settings.firstByte(),
                settings.connections(),
                settings.connectionsPerHost(),
                settings.timeToLive(),
                settings.idle(),
                tls));
  }

  static TransportFixture waitingForFirstByte(Duration firstByte) {
    return new TransportFixture(
        EgressPolicy.WITH_LOOPBACK,
        InetAddress::getAllByName,
        settings ->
            new OutboundSettings(
                settings.userAgent(),
                settings.connect(),
                firstByte,
                settings.connections(),
                settings.connectionsPerHost(),
                settings.timeToLive(),
                settings.idle(),
                settings.tls()));
  }

  /** Its patience with a connection, and again with its handshake. */
  static TransportFixture connectingWithin(Duration connect, Names.Resolver resolver) {
    return new TransportFixture(
        EgressPolicy.WITH_LOOPBACK,
        resolver,
        settings ->
            new OutboundSettings(
                settings.userAgent(),
                connect,
                settings.firstByte(),
                settings.connections(),
                settings.connectionsPerHost(),
                settings.timeToLive(),
                settings.idle(),
                settings.tls()));
  }

  TransportFixture(
      EgressPolicy policy, Names.Resolver resolver, UnaryOperator<OutboundSettings> change) {
    Keyring keyring =
        new Keyring(new Secrets(List.of(new EnvironmentStore(environment::get))), pool, this::tick);
    client =
        new OutboundClient(
            change.apply(OutboundSettings.ofVersion("1.2.3")),
            new Guard(policy),
            new Names(resolver, pool, this::tick),
            timer,
            this::tick);
    transport = new HttpTransport(client, keyring, threads, timer, this::tick);
  }

  /** A clock that moves a little with every look at it. */
  private long tick() {
    return nanos.addAndGet(1_000);
  }

  static Destination destination(String url, List<Header> headers, List<String> secrets) {
    return new Destination(
        "dst_1", 0, "tenant", Destination.Mode.PUSH, url, headers, secrets, "dst_1", 1);
  }

  static Attempt attempt(Destination destination, EventContent content, Attempt.Body body) {
    Leased delivery =
        new Leased(
            new DeliveryKey(0, destination.id(), EVENT),
            "tenant",
            1,
            Lane.FIRST,
            Urgency.INTERACTIVE,
            0,
            SENT_AT,
            SENT_AT,
            1,
            SENT_AT.plusSeconds(20),
            0,
            0,
            content);
    return new Attempt(
        delivery, destination, SENT_AT, body, DEADLINE, OutcomeOverrides.NONE, () -> true);
  }

  static EventContent content(List<Header> headers) {
    return new EventContent("order.paid", "application/json", headers, "key-1", SENT_AT, null);
  }

  static Attempt.Body body(byte[] bytes) {
    return () -> loan(bytes, () -> {});
  }

  static Attempt.Loan loan(byte[] bytes, Runnable closed) {
    return new Attempt.Loan() {
      @Override
      public byte[] bytes() {
        return bytes;
      }

      @Override
      public void close() {
        closed.run();
      }
    };
  }

  CompletableFuture<AttemptResult> start(Attempt attempt) {
    CompletableFuture<AttemptResult> result = new CompletableFuture<>();
    transport.start(attempt, result::complete);
    return result;
  }

  AttemptResult send(Attempt attempt) throws InterruptedException {
    return await(start(attempt));
  }

  /** Sends a small event without secrets or headers. */
  AttemptResult send(String url) throws InterruptedException {
    return send(simple(url));
  }

  static Attempt simple(String url) {
    return attempt(
        destination(url, List.of(), List.of()),
        content(List.of()),
        body("{}".getBytes(StandardCharsets.UTF_8)));
  }

  static <T> T await(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get(TEST_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("did not come", e);
    }
  }

  @Override
  public void close() {
    client.close();
    timer.shutdownNow();
    pool.shutdownNow();
    threads.shutdownNow();
  }
}
