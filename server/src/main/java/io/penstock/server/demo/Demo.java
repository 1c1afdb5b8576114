package io.penstock.server.demo;

import io.penstock.server.client.ApiClient;
import io.penstock.server.client.Table;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The demo: steady traffic through the API to three receivers of which one is well, one is limited
 * and one is broken; then the books. Talks to the server as any producer does. For one thread.
 */
public final class Demo {
  private static final String TENANT = "demo";

  /** How often a batch is posted and the table drawn. */
  private static final Duration BEAT = Duration.ofMillis(500);

  /** More than the limited receiver takes. */
  private static final int PER_SECOND = 30;

  /** Events of one batch, after a pause of a few seconds too. */
  private static final int MOST_AT_ONCE = 100;

  private static final double NANOS = 1e9;
  private static final Duration FIRST_DELIVERY_BAR = Duration.ofSeconds(10);

  private final ApiClient api;
  private final Screen screen;
  private final LongSupplier nanoClock;
  private final Map<DemoReceiver.Kind, DemoReceiver> receivers =
      new EnumMap<>(DemoReceiver.Kind.class);
  private final Map<DemoReceiver.Kind, Set<String>> accepted =
      new EnumMap<>(DemoReceiver.Kind.class);
  private long posted;

  /**
   * @param live whether the table may draw over itself
   */
  public Demo(ApiClient api, PrintWriter out, boolean live, LongSupplier nanoClock) {
    this.api = api;
    this.screen = new Screen(out, live);
    this.nanoClock = nanoClock;
  }

  /** Waits between two batches. */
  @FunctionalInterface
  public interface Rest {
    /** Waits at most so long; true when somebody wants the demo to end. */
    boolean await(Duration most) throws InterruptedException;
  }

  /** Runs for so long, or until somebody ends it; then draws up the books. */
  public Summary run(Duration length, Rest rest) throws InterruptedException {
    long began = nanoClock.getAsLong();
    try {
      setUp();
      do {
        post(elapsed(began));
        draw(elapsed(began));
      } while (elapsed(began).compareTo(length) < 0 && !rest.await(BEAT));
      return summary(began, elapsed(began));
    } finally {
      receivers.values().forEach(DemoReceiver::close);
    }
  }

  private Duration elapsed(long began) {
    return Duration.ofNanos(nanoClock.getAsLong() - began);
  }

  private void setUp() {
    api.post("/v1/tenants", Map.of("id", TENANT, "name", "The demo's tenant"));
    for (DemoReceiver.Kind kind : DemoReceiver.Kind.values()) {
      DemoReceiver receiver = new DemoReceiver(kind, nanoClock);
      receivers.put(kind, receiver);
      accepted.put(kind, new HashSet<>());
      api.post(
          "/v1/destinations",
          Map.of(
              "id", id(kind),
              "tenant", TENANT,
              "url", receiver.url(),
              "generate_secret", true,
              "types", List.of()));
    }
  }

  private static String id(DemoReceiver.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** What is due by now, so that a slow frame makes up for itself. */
  private void post(Duration since) {
    List<Map<String, Object>> events = new ArrayList<>();
    long due = 1 + since.toMillis() * PER_SECOND / 1_000 - posted;
    for (int i = 0; i < Math.min(due, MOST_AT_ONCE); i++) {
      events.add(
          Map.of(
              "tenant",
              TENANT,
              "type",
              "demo.tick",
              "idempotency_key",
              "tick-" + posted,
              "payload",
              Map.of("tick", posted++)));
    }
    JsonNode answer = api.post("/v1/events/batch", Map.of("events", events));
    for (JsonNode item : answer.path("items")) {
      String event = item.path("event_id").asString("");
      for (JsonNode delivery : item.path("deliveries")) {
        accepted(delivery.path("destination_id").asString("")).add(event);
      }
    }
  }

  private Set<String> accepted(String destination) {
    DemoReceiver.Kind kind = DemoReceiver.Kind.valueOf(destination.toUpperCase(Locale.ROOT));
    return Objects.requireNonNull(accepted.get(kind));
  }

  private void draw(Duration since) {
    Table table =
        new Table("RECEIVER", "STATE", "ACCEPTED", "DELIVERED", "WAITING", "SENT", "429", "WHY");
    receivers.forEach((kind, receiver) -> row(table, kind, receiver.tally()));
    screen.draw(
        table,
        () ->
            "%.1f s: ".formatted(since.toMillis() / 1_000.0)
                + receivers.entrySet().stream()
                    .map(e ->
                        "%s %d of %d delivered"
                            .formatted(
                                id(e.getKey()),
                                e.getValue().tally().delivered(),
                                accepted(id(e.getKey())).size()))
                    .collect(Collectors.joining(", ")));
  }

  private void row(Table table, DemoReceiver.Kind kind, Tally tally) {
    JsonNode why = api.get("/v1/destinations/%s/why".formatted(id(kind)));
    long taken = accepted(id(kind)).size();
    table.row(
        id(kind),
        why.path("state").asString(""),
        Long.toString(taken),
        Long.toString(tally.delivered()),
        Long.toString(Math.max(0, taken - tally.delivered())),
        Long.toString(tally.requests()),
        Long.toString(tally.throttles()),
        why.path("sentence").asString(""));
  }

  private Summary summary(long began, Duration ran) {
    Map<DemoReceiver.Kind, Accounts> books = new EnumMap<>(DemoReceiver.Kind.class);
    receivers.forEach((kind, receiver) ->
        books.put(kind, Accounts.draw(api, id(kind), accepted(id(kind)), receiver.tally())));
    long lost = books.values().stream().mapToLong(Accounts::lost).sum();
    long unexplained = books.values().stream().mapToLong(Accounts::unexplained).sum();
    double first = firstDelivery(began);
    screen.close(books(books), ran, posted, first);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("run_s", ran.toMillis() / 1_000.0);
    figures.put("accepted_events", posted);
    figures.put("first_delivery_s", first);
    books.forEach((kind, book) -> figures(figures, id(kind), book, tally(kind)));
    figures.put("lost_deliveries", lost);
    return new Summary("demo", figures, bars(lost, unexplained, first), settings());
  }

  /** What became of what was accepted, and what the receivers saw of it. */
  private Table books(Map<DemoReceiver.Kind, Accounts> books) {
    Table table =
        new Table(
            "RECEIVER",
            "ACCEPTED",
            "DELIVERED",
            "WAITING",
            "DEAD",
            "LOST",
            "REQUESTS",
            "429",
            "FAILED",
            "REPEATED");
    books.forEach((kind, book) -> {
      Tally tally = tally(kind);
      table.row(
          id(kind),
          Integer.toString(accepted(id(kind)).size()),
          Long.toString(book.delivered()),
          Long.toString(book.waiting()),
          Long.toString(book.dead()),
          Long.toString(book.lost()),
          Long.toString(tally.requests()),
          Long.toString(tally.throttles()),
          Long.toString(tally.failures()),
          Long.toString(tally.repeats()));
    });
    return table;
  }

  /** Seconds from when the server was ready, or -1 when nothing was delivered. */
  private double firstDelivery(long began) {
    long first =
        receivers.values().stream()
            .mapToLong(receiver -> receiver.tally().firstNanos())
            .min()
            .orElse(Long.MAX_VALUE);
    return first == Long.MAX_VALUE ? -1 : Math.round((first - began) / NANOS * 1_000) / 1_000.0;
  }

  private Tally tally(DemoReceiver.Kind kind) {
    return Objects.requireNonNull(receivers.get(kind)).tally();
  }

  private void figures(Map<String, Object> figures, String id, Accounts book, Tally tally) {
    figures.put(id + "_accepted_deliveries", accepted(id).size());
    figures.put(id + "_delivered_deliveries", book.delivered());
    figures.put(id + "_waiting_deliveries", book.waiting());
    figures.put(id + "_dead_deliveries", book.dead());
    figures.put(id + "_sent_requests", tally.requests());
    figures.put(id + "_throttled_requests", tally.throttles());
    figures.put(id + "_failed_requests", tally.failures());
    figures.put(id + "_repeated_requests", tally.repeats());
  }

  private static List<Summary.Bar> bars(long lost, long unexplained, double first) {
    boolean quick = first >= 0 && first <= FIRST_DELIVERY_BAR.toSeconds();
    return List.of(
        new Summary.Bar("nothing lost", "0 deliveries", lost + " deliveries", lost == 0),
        new Summary.Bar(
            "all accepted delivered or waiting with a reason",
            "0 unexplained",
            unexplained + " unexplained",
            unexplained == 0),
        new Summary.Bar(
            "first delivery after ready",
            "at most %d s".formatted(FIRST_DELIVERY_BAR.toSeconds()),
            first < 0 ? "none" : "%.2f s".formatted(first),
            quick));
  }

  private static Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("events_per_second", PER_SECOND);
    settings.put("limited_receiver_per_second", DemoReceiver.LIMIT_PER_SECOND);
    return settings;
  }
}
