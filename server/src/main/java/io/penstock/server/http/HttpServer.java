package io.penstock.server.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.util.JavalinException;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.server.auth.Authenticator;
import io.penstock.server.auth.Caller;
import io.penstock.server.auth.Scope;
import io.penstock.server.problem.ErrorCode;
import io.penstock.server.problem.FieldFault;
import io.penstock.server.problem.Problem;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.spelling.Spelling;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves routes over HTTP/1.1, a virtual thread for each request. Everything that every route has
 * in common happens here: request ids, keys and scopes, bounds, and the one place where refusals
 * become answers. Safe for use by many threads.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);

  /** When to come back after the ledger did not answer. */
  private static final Duration LEDGER_COME_BACK = Duration.ofSeconds(1);

  private final HttpSettings settings;
  private final Javalin javalin;
  private final Authenticator authenticator;
  private final RequestIds requestIds;
  private final InFlight inFlight;
  private final BodyReader bodies;
  private final RequestListener listener;
  private final LongSupplier nanoClock;
  private final AtomicBoolean draining = new AtomicBoolean();
  private @Nullable ServerConnector connector;

  /**
   * @param random names requests; need not be fit for secrets
   */
  public HttpServer(
      HttpSettings settings,
      List<Route> routes,
      Authenticator authenticator,
      RandomGenerator random,
      LongSupplier nanoClock,
      RequestListener listener) {
    this.settings = settings;
    this.authenticator = authenticator;
    this.requestIds = new RequestIds(random);
    this.inFlight = new InFlight(settings.inFlightBytes());
    this.bodies = new BodyReader(inFlight);
    this.listener = listener;
    this.nanoClock = nanoClock;
    this.javalin = Javalin.create(config -> configure(config, routes));
  }

  /**
   * Begins to listen.
   *
   * @throws CannotListenException when the port is taken, for instance
   */
  public void start() {
    try {
      javalin.start();
    } catch (JavalinException e) {
      throw new CannotListenException(settings, e);
    }
  }

  /** The port that it listens on. */
  public int port() {
    return javalin.port();
  }

  /** Whether it takes no new requests any more. */
  public boolean isDraining() {
    return draining.get();
  }

  /**
   * Takes no new connections and refuses new requests on old ones, then waits for the answers that
   * are under way. False when some were cut off after {@code most}.
   */
  public boolean drain(Duration most) throws InterruptedException {
    draining.set(true);
    if (connector != null) {
      connector.close();
    }
    return inFlight.awaitEmpty(most);
  }

  @Override
  public void close() {
    draining.set(true);
    javalin.stop();
  }

  private void configure(JavalinConfig config, List<Route> routes) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.http.prefer405over404 = true;
    // Answers are small, and producers sit next door: compression costs more than it saves.
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.http.generateEtags = false;
    config.jetty.modifyServer(server -> JettySetup.server(server));
    config.jetty.addConnector((server, _) -> connect(server));
    config.jetty.modifyServletContextHandler(JettySetup::context);
    for (Route route : routes) {
      config.routes.addHttpHandler(
          HandlerType.findOrCreate(route.method()), route.path(), context -> serve(context, route));
    }
    config.routes.exception(HttpResponseException.class, this::unrouted);
  }

  private ServerConnector connect(Server server) {
    ServerConnector made = JettySetup.connector(server, settings);
    connector = made;
    return made;
  }

  private void serve(Context context, Route route) {
    long began = nanoClock.getAsLong();
    String requestId = requestIds.of(context.header(RequestIds.HEADER));
    ErrorCode refused = null;
    inFlight.enter();
    try {
      write(context, requestId, answer(context, route));
    } catch (ProblemException e) {
      refused = e.code();
      write(context, requestId, refusal(e, requestId));
    } catch (LedgerException e) {
      log.warn("{} {}: {}", requestId, route.path(), e.toString());
      refused = ErrorCode.LEDGER_UNAVAILABLE;
      write(context, requestId, refusal(unavailable(), requestId));
    } catch (RuntimeException e) {
      log.error("{} {} failed by a bug", requestId, route.path(), e);
      refused = ErrorCode.INTERNAL;
      write(context, requestId, refusal(bug(requestId), requestId));
    } finally {
      inFlight.leave();
      listener.answered(
          route.method(),
          route.path(),
          context.statusCode(),
          refused,
          Duration.ofNanos(nanoClock.getAsLong() - began));
    }
  }

  private Answer answer(Context context, Route route) {
    Caller caller = null;
    if (!route.isPublic()) {
      if (draining.get()) {
        throw ProblemException.later(
            ErrorCode.DRAINING, "this node is stopping; another one answers", LEDGER_COME_BACK);
      }
      caller = authenticator.authenticate(context.header("Authorization"));
      if (!caller.hasAny(route.scopes())) {
        throw forbidden(route, caller);
      }
    }
    checkQuery(context, route);
    Caller known = caller;
    return bodies.read(
        context, route, body -> route.handler().handle(new Call(context, route, known, body)));
  }

  private static ProblemException forbidden(Route route, Caller caller) {
    return ProblemException.of(
        ErrorCode.FORBIDDEN,
        "%s %s needs a key with the scope %s; this one has %s"
            .formatted(
                route.method(), route.path(), words(route.scopes()), words(caller.scopes())));
  }

  private static String words(Set<Scope> scopes) {
    var words = new TreeSet<String>();
    scopes.forEach(scope -> words.add(scope.word()));
    return String.join(" or ", words);
  }

  private static void checkQuery(Context context, Route route) {
    for (var entry : context.queryParamMap().entrySet()) {
      String name = entry.getKey();
      if (!route.query().contains(name)) {
        throw ProblemException.parameter(
            FieldFault.shown(name),
            "an unknown parameter",
            route.query().isEmpty() ? "no parameters" : Spelling.hint(name, route.query()));
      }
      if (entry.getValue().size() > 1) {
        throw ProblemException.parameter(name, "it twice", "each parameter once");
      }
    }
  }

  private void unrouted(HttpResponseException e, Context context) {
    String requestId = requestIds.of(context.header(RequestIds.HEADER));
    ProblemException problem =
        switch (e.getStatus()) {
          case 404 ->
              ProblemException.of(
                  ErrorCode.NOT_FOUND, "no such path; /v1/openapi.json lists those there are");
          case 405 ->
              ProblemException.of(
                  ErrorCode.METHOD_NOT_ALLOWED,
                  "%s is not among the methods of this path".formatted(context.method().name()));
          default -> ProblemException.of(ErrorCode.BAD_PARAMETER, "the request was not understood");
        };
    write(context, requestId, refusal(problem, requestId));
  }

  private static ProblemException unavailable() {
    return ProblemException.later(
        ErrorCode.LEDGER_UNAVAILABLE,
        "the database did not answer; whether the change took place is not known, and with an"
            + " idempotency key it is safe to repeat it",
        LEDGER_COME_BACK);
  }

  private static ProblemException bug(String requestId) {
    return ProblemException.of(ErrorCode.INTERNAL, "the server's log says more under " + requestId);
  }

  private static Answer refusal(ProblemException e, String requestId) {
    Answer answer =
        Answer.json(e.code().status(), Problem.of(e, requestId)).withMediaType(Problem.MEDIA_TYPE);
    if (e.retryAfter() != null) {
      long seconds = Math.max(1, e.retryAfter().plusMillis(999).toSeconds());
      answer = answer.with("Retry-After", Long.toString(seconds));
    }
    if (e.code() == ErrorCode.UNAUTHENTICATED) {
      answer = answer.with("WWW-Authenticate", "Bearer realm=\"penstock\"");
    }
    return e.code() == ErrorCode.DRAINING ? answer.with("Connection", "close") : answer;
  }

  private static void write(Context context, String requestId, Answer answer) {
    context.status(answer.status());
    context.header(RequestIds.HEADER, requestId);
    context.header("Cache-Control", "no-store");
    context.header("X-Content-Type-Options", "nosniff");
    answer.headers().forEach(context::header);
    context.contentType(answer.mediaType());
    context.result(answer.body());
  }
}
