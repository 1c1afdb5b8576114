package io.penstock.engine.send;

import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.host.Host;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.observe.NodeListener;
import io.penstock.engine.transport.Attempt;
import io.penstock.engine.transport.AttemptResult;
import io.penstock.engine.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends what was leased, or hands it back: when its pace comes up too late after the debit, when
 * its gate or its budget's generation changed meanwhile, when it has grown too old. Whatever
 * happens, each lease comes out as exactly one settlement. Safe for use by many threads.
 */
public final class Sender {
  /** A send starts within this of its debit, or is handed back: else a window could be overrun. */
  public static final Duration LATEST_START = Duration.ofMillis(100);

  private final Transport transport;
  private final DestinationCache destinations;
  private final BodyLoans bodies;
  private final LedgerTime time;
  private final Host host;
  private final String node;
  private final Consumer<Settlement> settler;
  private final NodeListener listener;
  private final Map<String, Unsent> unsent = new ConcurrentHashMap<>();
  private final Generations generations = new Generations(LATEST_START.toNanos());
  private final NodeRest rest;
  private volatile boolean stopping;

  /** What is claimed and unsent for one destination, and the newest gate number known of it. */
  private record Unsent(int count, long gateNo) {
    private Unsent oneMore(Unsent other) {
      return new Unsent(count + 1, Math.max(gateNo, other.gateNo));
    }

    private @Nullable Unsent oneLess() {
      return count == 1 ? null : new Unsent(count - 1, gateNo);
    }
  }

  /**
   * A sender that is not stopping.
   *
   * @param mostLargeBodyBytes of bodies over the inline bound out at once
   * @param settler takes each end; must not block
   * @param rest told how attempts end
   */
  public Sender(
      Transport transport,
      Ledger ledger,
      int mostLargeBodyBytes,
      LedgerTime time,
      Host host,
      String node,
      Consumer<Settlement> settler,
      NodeRest rest,
      NodeListener listener) {
    this.transport = transport;
    this.destinations = new DestinationCache(ledger);
    this.bodies = new BodyLoans(ledger, mostLargeBodyBytes);
    this.time = time;
    this.host = host;
    this.node = node;
    this.settler = settler;
    this.rest = rest;
    this.listener = listener;
  }

  /**
   * Takes what a claim leased, in order. Returns when all of it is on its way, handed back, or
   * paced.
   */
  public void send(List<Sending> sendings) {
    if (sendings.isEmpty()) {
      return;
    }
    Map<String, Long> configNos = new HashMap<>();
    for (Sending sending : sendings) {
      String id = sending.delivery().key().destinationId();
      configNos.put(id, sending.configNo());
      unsent.merge(id, new Unsent(1, sending.gateNo()), Unsent::oneMore);
    }
    try {
      destinations.refresh(configNos);
    } catch (LedgerException failure) {
      listener.ledgerFailed("send", failure);
      sendings.forEach(this::forget);
      sendings.forEach(this::handBack);
      return;
    }
    for (Sending sending : sendings) {
      if (sending.after().isPositive()) {
        host.after(sending.after(), () -> start(sending));
      } else {
        start(sending);
      }
    }
  }

  /** Destinations with something claimed and unsent. */
  public Set<String> unsentDestinations() {
    return Set.copyOf(unsent.keySet());
  }

  /** Gate numbers as just read; what is unsent under an older one goes back. */
  public void gatesAre(Map<String, Long> gateNumbers) {
    gateNumbers.forEach((id, gateNo) ->
        unsent.computeIfPresent(
            id, (_, its) -> new Unsent(its.count, Math.max(its.gateNo, gateNo))));
  }

  /** Generations of budgets; what is unsent under an older one goes back. */
  public void generationsAre(Map<String, Long> known) {
    generations.are(known, host.nanoTime());
  }

  /** From now on everything that is not yet sent is handed back. */
  public void stop() {
    stopping = true;
  }

  private void start(Sending sending) {
    String destinationId = sending.delivery().key().destinationId();
    Optional<Destination> destination = destinations.get(destinationId);
    boolean outdated =
        outdated(sending, destination.map(Destination::budgetId).orElse(destinationId));
    forget(sending);
    if (destination.isEmpty()) {
      endUnsent(sending, Reason.DESTINATION_DELETED);
    } else if (sending.expired() && time.trusted()) {
      endUnsent(sending, Reason.EXPIRED);
    } else if (stopping || outdated) {
      handBack(sending);
    } else {
      attempt(sending, destination.get());
    }
  }

  /**
   * Asked on the thread that sends: it may have waited for a core since the attempt was started.
   */
  private boolean mayGo(Sending sending, String budgetId) {
    if (overtaken(sending, budgetId)) {
      handBack(sending);
      return false;
    }
    listener.sent(sending.delivery());
    return true;
  }

  private void forget(Sending sending) {
    unsent.computeIfPresent(sending.delivery().key().destinationId(), (_, its) -> its.oneLess());
  }

  private boolean outdated(Sending sending, String budgetId) {
    Unsent its = unsent.get(sending.delivery().key().destinationId());
    return overtaken(sending, budgetId) || (its != null && its.gateNo > sending.gateNo());
  }

  /**
   * By its budget, or by time: that of the monotonic clock, because a stopped node or a slow ledger
   * may have come in between.
   */
  private boolean overtaken(Sending sending, String budgetId) {
    return generations.passed(budgetId, sending.stamp().generation())
        || host.nanoTime() - sending.debitedNanos() > LATEST_START.toNanos();
  }

  private void attempt(Sending sending, Destination destination) {
    Instant startedAt = time.now();
    long begun = host.nanoTime();
    transport.start(
        new Attempt(
            sending.delivery(),
            destination,
            startedAt,
            bodies.bodyOf(sending.delivery()),
            sending.deadline(),
            sending.outcomes(),
            () -> mayGo(sending, destination.budgetId())),
        result -> {
          tellRest(result.outcome(), destination, begun);
          ended(sending, startedAt, result);
        });
  }

  private void tellRest(Outcome outcome, Destination destination, long begun) {
    if (!(outcome instanceof Outcome.Ours)) {
      rest.answered(begun);
    } else if (!stopping) {
      rest.failed(hostOf(destination), begun, outcome.detail());
    }
  }

  /** Destinations at one host are not unrelated: scheme, port and path of the URL are left out. */
  private static String hostOf(Destination destination) {
    String url = String.valueOf(destination.url());
    int begin = url.indexOf("//") + 2;
    int end = begin;
    while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    return url.substring(Math.min(begin, end), end).replaceFirst(":[0-9]+$", "");
  }

  private void ended(Sending sending, Instant startedAt, AttemptResult result) {
    settler.accept(
        new Settlement(
            sending.delivery(),
            new Feedback.Ended(sending.stamp(), result.outcome(), result.took()),
            new Settlement.AttemptRow(
                startedAt,
                result.took().toNanos() / 1_000,
                classOf(result.outcome()),
                result.outcome().detail(),
                result.outcome().status(),
                result.responseHead(),
                result.resolvedAddress(),
                node),
            null));
  }

  private void handBack(Sending sending) {
    endUnsent(sending, null);
  }

  private void endUnsent(Sending sending, @Nullable Reason endsAs) {
    Settlement settlement =
        new Settlement(sending.delivery(), new Feedback.HandedBack(sending.stamp()), null, endsAs);
    listener.handedBack(settlement);
    settler.accept(settlement);
  }

  /** The word of an outcome's class, for the attempt row. */
  public static String classOf(Outcome outcome) {
    return outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
