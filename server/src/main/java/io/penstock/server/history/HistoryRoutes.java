package io.penstock.server.history;

import io.penstock.engine.ledger.LedgerClock;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.history.HistoryReads;
import io.penstock.postgres.history.HistoryRow;
import io.penstock.postgres.read.ConfigurationReads;
import io.penstock.postgres.read.DestinationView;
import io.penstock.server.auth.Scope;
import io.penstock.server.destination.DestinationState;
import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import io.penstock.server.problem.ProblemException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows how a destination's budget moved. Safe for use by many threads. */
public final class HistoryRoutes {
  private static final Set<Scope> READ =
      EnumSet.of(Scope.OPERATOR, Scope.TENANT_READER, Scope.TENANT_REPLAY);

  /** What is shown when nobody says from when. */
  private static final Duration LAST = Duration.ofHours(1);

  private static final int DEFAULT_POINTS = 1_000;

  /** Points of one answer: about a megabyte. */
  private static final int MOST_POINTS = 5_000;

  /** All kinds that one second can have, and some. */
  private static final int LEAST_POINTS = 10;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  /** What a timestamp of the ledger can hold, with room to spare. */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

  private final LedgerClock clock;
  private final ConfigurationReads configuration;
  private final HistoryReads reads;
  private final Limits limits;

  public HistoryRoutes(
      LedgerClock clock, ConfigurationReads configuration, HistoryReads reads, Limits limits) {
    this.clock = clock;
    this.configuration = configuration;
    this.reads = reads;
    this.limits = limits;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/destinations/{destination}/history",
            READ,
            Set.of("from", "to", "limit"),
            this::history));
  }

  /**
   * A stretch of a history, and how things stand now.
   *
   * @param before the last point before {@code from}; absent = none is known
   * @param points of the rate, in the order of time
   * @param happenings what turned, in the order of time
   * @param nextFrom where to go on when there is more
   */
  record HistoryBody(
      String destinationId,
      String state,
      double ratePerSecond,
      double ceilingPerSecond,
      @Nullable Double kneePerSecond,
      Instant from,
      Instant to,
      @Nullable PointBody before,
      List<PointBody> points,
      List<Happening> happenings,
      boolean hasMore,
      @Nullable Instant nextFrom) {}

  /**
   * The rate at a time.
   *
   * @param spanS for how many seconds the point stands
   * @param throttled answers in them that asked for less
   */
  record PointBody(
      Instant at, int spanS, double rate, double ceiling, @Nullable Double knee, int throttled) {

    static PointBody of(HistoryRow row) {
      return new PointBody(
          row.at(), row.spanSeconds(), row.rate(), row.ceiling(), row.knee(), row.throttled());
    }
  }

  private Answer history(Call call) {
    String id = call.pathId("destination");
    DestinationView view =
        configuration
            .destination(id)
            .filter(found -> call.caller().sees(found.destination().tenantId()))
            .orElseThrow(() -> Call.notFound("destination", id));
    Instant to = time(call, "to", clock.now());
    Instant from = time(call, "from", to.minus(LAST));
    if (!from.isBefore(to)) {
      throw ProblemException.parameter(
          "from", from.toString(), "a time before %s (to)".formatted(to));
    }
    HistoryReads.Stretch stretch = reads.between(view.destination(), from, to, most(call));
    var settings = limits.of(id).budget();
    return Answer.ok(
        new HistoryBody(
            id,
            DestinationState.of(view.inForce(), view.budget(), settings).word(),
            view.budget().ratePerSecond(settings),
            settings.ratePerSecond(),
            view.budget().knee(),
            from,
            to,
            stretch.before() == null ? null : PointBody.of(stretch.before()),
            stretch.points().stream().filter(HistoryRow::isRate).map(PointBody::of).toList(),
            Happening.of(stretch, call.caller().tenants().isEmpty()),
            stretch.nextFrom() != null,
            stretch.nextFrom()));
  }

  private static int most(Call call) {
    String text = call.query("limit").orElse(Integer.toString(DEFAULT_POINTS));
    int most = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    if (most < LEAST_POINTS || most > MOST_POINTS) {
      throw ProblemException.parameter(
          "limit", text, "%,d to %,d points".formatted(LEAST_POINTS, MOST_POINTS));
    }
    return most;
  }

  private static Instant time(Call call, String name, Instant otherwise) {
    String text = call.query(name).orElse(null);
    if (text == null) {
      return otherwise;
    }
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) {
        return time;
      }
    } catch (DateTimeException e) {
      // Told below, as a time that no ledger has.
    }
    throw ProblemException.parameter(
        name, text, "a time in UTC, for instance 2026-03-10T12:00:00Z, from the year 2000 on");
  }
}
