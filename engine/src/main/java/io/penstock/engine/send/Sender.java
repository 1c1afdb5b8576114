package io.penstock.engine.send;

import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.delivery.Leased;
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

  /** How late the pace's timer may be before what it released counts as too late. */
  static final Duration TIMER_SLACK = Duration.ofMillis(50);

  private final Transport transport;
  private final DestinationCache destinations;
  private final BodyLoans bodies;
  private final LedgerTime time;
  private final Host host;
  private final String node;
  private final Consumer<Settlement> settler;
  private final NodeListener listener;
  private final Map<String, Long> unsentGates = new ConcurrentHashMap<>();
  private final Map<String, Long> generations = new ConcurrentHashMap<>();
  private volatile boolean stopping;

  /**
   * A sender that is not stopping.
   *
   * @param mostLargeBodyBytes of bodies over the inline bound out at once
   * @param settler takes each end; must not block
   */
  public Sender(
      Transport transport,
      Ledger ledger,
      int mostLargeBodyBytes,
      LedgerTime time,
      Host host,
      String node,
      Consumer<Settlement> settler,
      NodeListener listener) {
    this.transport = transport;
    this.destinations = new DestinationCache(ledger);
    this.bodies = new BodyLoans(ledger, mostLargeBodyBytes);
    this.time = time;
    this.host = host;
    this.node = node;
    this.settler = settler;
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
      configNos.put(sending.delivery().key().destinationId(), sending.configNo());
    }
    try {
      destinations.refresh(configNos);
    } catch (LedgerException failure) {
      listener.ledgerFailed("send", failure);
      sendings.forEach(this::handBack);
      return;
    }
    for (Sending sending : sendings) {
      if (sending.after().isPositive()) {
        unsentGates.merge(sending.delivery().key().destinationId(), sending.gateNo(), Math::max);
        host.after(sending.after(), () -> start(sending));
      } else {
        start(sending);
      }
    }
  }

  /** Destinations with something claimed and unsent since the last call. */
  public Set<String> unsentDestinations() {
    return Set.copyOf(unsentGates.keySet());
  }

  /** Gate numbers as just read; what is unsent under an older one goes back. */
  public void gatesAre(Map<String, Long> gateNumbers) {
    unsentGates.keySet().retainAll(gateNumbers.keySet());
    unsentGates.replaceAll((id, known) -> Math.max(known, gateNumbers.getOrDefault(id, known)));
  }

  /**
   * A newer generation of a destination's budget is known; what is unsent under an older goes back.
   */
  public void generationIs(String destinationId, long generation) {
    generations.merge(destinationId, generation, Math::max);
  }

  /** From now on everything that is not yet sent is handed back. */
  public void stop() {
    stopping = true;
  }

  private void start(Sending sending) {
    Leased delivery = sending.delivery();
    String destinationId = delivery.key().destinationId();
    Optional<Destination> destination = destinations.get(destinationId);
    if (destination.isEmpty()) {
      end(sending, Reason.DESTINATION_DELETED);
    } else if (sending.expired()) {
      end(sending, Reason.EXPIRED);
    } else if (stopping || outdated(sending)) {
      handBack(sending);
    } else {
      attempt(sending, destination.get());
    }
  }

  private boolean outdated(Sending sending) {
    String id = sending.delivery().key().destinationId();
    if (generations.getOrDefault(id, Long.MIN_VALUE) > sending.stamp().generation()) {
      return true;
    }
    if (!sending.after().isPositive()) {
      return false;
    }
    Duration sinceDebit = Duration.between(sending.debitedAt(), time.now());
    return sinceDebit.compareTo(LATEST_START.plus(TIMER_SLACK)) > 0
        || unsentGates.getOrDefault(id, Long.MIN_VALUE) > sending.gateNo();
  }

  private void attempt(Sending sending, Destination destination) {
    Instant startedAt = time.now();
    listener.sent();
    transport.start(
        new Attempt(
            sending.delivery(),
            destination,
            startedAt,
            bodies.bodyOf(sending.delivery()),
            sending.deadline()),
        result -> ended(sending, startedAt, result));
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
    finishUnsent(sending, null);
  }

  private void end(Sending sending, Reason reason) {
    finishUnsent(sending, reason);
  }

  private void finishUnsent(Sending sending, @Nullable Reason endsAs) {
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
