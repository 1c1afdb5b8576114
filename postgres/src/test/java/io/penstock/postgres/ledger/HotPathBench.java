package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.budget.SystemAccess;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.intake.EventIds;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Settlement;
import io.penstock.postgres.DatabaseSettings;
import io.penstock.postgres.Pool;
import io.penstock.postgres.migration.Migrator;
import io.penstock.postgres.partition.Partitions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The statements of the hot path alone, as a rough measure: ingest on two connections, then claim
 * and settle on two. Arguments: JDBC URL, user, destinations, deliveries, batch.
 */
@SystemAccess("a measure of real time")
public final class HotPathBench {
  private static final Audit BY = new Audit("bench", "");

  private HotPathBench() {}

  static void main(String[] arguments) throws InterruptedException, ExecutionException {
    DatabaseSettings settings = DatabaseSettings.direct(arguments[0], arguments[1], "");
    int destinations = Integer.parseInt(arguments[2]);
    int deliveries = Integer.parseInt(arguments[3]);
    int batch = Integer.parseInt(arguments[4]);
    new Migrator(settings).migrate();
    try (Pool pool = Pool.open(settings);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      new Partitions(pool).ahead();
      PostgresLedger ledger = PostgresLedger.open(pool);
      List<String> ids = configure(ledger, destinations);
      long started = System.nanoTime();
      Future<?> half = threads.submit(() -> ingest(ledger, ids, deliveries / 2, batch, 1));
      ingest(ledger, ids, deliveries / 2, batch, 2);
      half.get();
      tell("ingest", deliveries, started);
      drain(ledger, ids, batch, threads);
    }
  }

  private static List<String> configure(PostgresLedger ledger, int destinations) {
    List<String> ids = new ArrayList<>();
    ledger.createTenant("bench", "bench", BY);
    for (int i = 0; i < destinations; i++) {
      String id = "dst_%05d".formatted(i);
      ids.add(id);
      ledger.createDestination(
          new Destination(
              id,
              0,
              "bench",
              Destination.Mode.PUSH,
              "http://localhost/",
              List.of(),
              List.of(),
              id,
              0),
          (budgetId, state, now) -> BudgetState.initial(BudgetSettings.DEFAULT, 7, now),
          BY);
    }
    return ids;
  }

  private static void ingest(
      PostgresLedger ledger, List<String> ids, int count, int batch, long seed) {
    Random random = new Random(seed);
    EventIds eventIds = new EventIds(InstantSource.system(), random);
    byte[] body = "x".repeat(1024).getBytes(StandardCharsets.UTF_8);
    for (int done = 0; done < count; done += batch) {
      List<NewEvent> events = new ArrayList<>();
      for (int i = 0; i < batch; i++) {
        events.add(
            new NewEvent(
                eventIds.next(),
                "bench",
                "order.paid",
                "application/json",
                List.of(),
                body,
                Urgency.INTERACTIVE,
                null,
                List.of(ids.get(random.nextInt(ids.size())))));
      }
      ledger.accept(events);
    }
  }

  private static void drain(
      PostgresLedger ledger, List<String> ids, int batch, ExecutorService threads)
      throws InterruptedException, ExecutionException {
    LinkedBlockingQueue<List<Leased>> settling = new LinkedBlockingQueue<>(4);
    OpenRules rules = new OpenRules(1, Duration.ofSeconds(20));
    long started = System.nanoTime();
    Future<Long> settled = threads.submit(() -> settle(ledger, rules, settling));
    int at = 0;
    long claimed = 0;
    int empty = 0;
    long claimNanos = 0;
    int claims = 0;
    while (empty < 2 * ids.size() / batch + 2) {
      List<String> due = new ArrayList<>();
      for (int i = 0; i < Math.min(batch, ids.size()); i++) {
        due.add(ids.get(at++ % ids.size()));
      }
      long from = System.nanoTime();
      Claim claim =
          ledger.claim(
              new ClaimRequest(0, due, "bench", batch, 8_000_000),
              new OpenRules(Math.max(1, batch / due.size()), rules.lease()));
      claimNanos += System.nanoTime() - from;
      claims++;
      claimed += claim.leased().size();
      empty = claim.leased().isEmpty() ? empty + 1 : 0;
      if (!claim.leased().isEmpty()) {
        settling.put(claim.leased());
      }
    }
    settling.put(List.of());
    long done = settled.get();
    tell("claim+settle of " + claimed, done, started);
    System.out.printf("claim mean %.1f ms%n", claimNanos / 1e6 / claims);
  }

  private static long settle(
      PostgresLedger ledger, OpenRules rules, LinkedBlockingQueue<List<Leased>> settling)
      throws InterruptedException {
    long done = 0;
    long nanos = 0;
    int n = 0;
    while (true) {
      List<Leased> leased = settling.take();
      if (leased.isEmpty()) {
        System.out.printf("settle mean %.1f ms%n", nanos / 1e6 / n);
        return done;
      }
      Instant now = Instant.EPOCH;
      List<Settlement> batch = new ArrayList<>();
      for (Leased one : leased) {
        batch.add(
            new Settlement(
                one,
                new Feedback.Ended(
                    new Stamp(0, false, false, false),
                    new Outcome.Delivered(200, "ok", Hint.NONE),
                    Duration.ofMillis(5)),
                new Settlement.AttemptRow(
                    now, 5000, "delivered", "ok", 200, new byte[20], "127.0.0.1", "bench"),
                null));
      }
      long from = System.nanoTime();
      done += ledger.settle(0, batch, rules).applied().size();
      nanos += System.nanoTime() - from;
      n++;
    }
  }

  private static void tell(String what, long count, long started) {
    double seconds = (System.nanoTime() - started) / 1e9;
    System.out.printf("%s: %d in %.1f s = %.0f/s%n", what, count, seconds, count / seconds);
  }
}
