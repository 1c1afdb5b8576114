package io.penstock.engine.permit;

import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Outcome;
import io.penstock.budget.RefuseReason;
import io.penstock.budget.Stamp;
import io.penstock.engine.clock.LedgerTime;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.engine.ledger.PermitLedger;
import io.penstock.engine.ledger.PermitLedger.PermitEnd;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.observe.NodeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Grants permits and takes their feedback. The budget's row decides, under its lock, for all nodes
 * and for claims alike; here callers of one destination merely queue, so that a crowd of workers
 * takes one connection and not all of them. Safe for use by many threads.
 */
public final class PermitDesk {
  /** Most permits of one answer. */
  public static final int MOST = 1_000;

  /** Queues; destinations that share one wait for each other, which costs milliseconds. */
  private static final int QUEUES = 256;

  /** A worker that waited so long in its queue is better told so. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Destinations whose expired permits are ended in one step. */
  private static final int MOST_EXPIRING = 100;

  private final PermitLedger ledger;
  private final int shards;
  private final Limits limits;
  private final LedgerTime time;
  private final RandomGenerator random;
  private final BiConsumer<String, RefuseReason> closedItself;
  private final Consumer<String> answered;
  private final NodeListener listener;
  private final ReentrantLock[] queues = new ReentrantLock[QUEUES];

  /**
   * A desk of one node.
   *
   * @param random makes ids that nobody guesses
   * @param closedItself told when a budget has closed itself; must not block
   * @param answered told when a permit of a destination has ended; must not block
   */
  public PermitDesk(
      PermitLedger ledger,
      int shards,
      Limits limits,
      LedgerTime time,
      RandomGenerator random,
      BiConsumer<String, RefuseReason> closedItself,
      Consumer<String> answered,
      NodeListener listener) {
    this.ledger = ledger;
    this.shards = shards;
    this.limits = limits;
    this.time = time;
    this.random = random;
    this.closedItself = closedItself;
    this.answered = answered;
    this.listener = listener;
    for (int i = 0; i < QUEUES; i++) {
      queues[i] = new ReentrantLock(true);
    }
  }

  /**
   * Takes up to {@code most} permits, 1 to {@link #MOST}.
   *
   * @throws LedgerException if the ledger cannot answer now
   */
  public PermitAnswer take(String destinationId, int most) {
    int shard = Shard.of(destinationId, shards);
    PermitDecisions decisions = PermitDecisions.taking(limits, time.trusted(), most, shard, random);
    Optional<Instant> now =
        queued(destinationId, () -> ledger.takePermits(destinationId, decisions));
    now.ifPresent(time::observe);
    tell(destinationId, decisions);
    PermitAnswer answer = now.isEmpty() ? new PermitAnswer.Absent() : decisions.answer();
    if (answer instanceof PermitAnswer.Granted granted) {
      listener.permitsTaken(destinationId, granted.permits().size());
    } else if (answer instanceof PermitAnswer.Refused refused) {
      follow(destinationId, refused.why().reason());
    }
    return answer;
  }

  /** The destination of a permit that is open; empty for any other text. */
  public Optional<String> destinationOf(String permitId) {
    return PermitIds.read(permitId)
        .filter(parts -> parts.shard() < shards)
        .flatMap(parts -> ledger.destinationOfPermit(parts.shard(), permitId));
  }

  /** What a feedback came to. */
  public enum Ending {
    /** It was booked. */
    BOOKED,
    /** The permit had expired; nothing was changed but that its slot is free. */
    EXPIRED,
    /** The permit was fed back before; nothing was changed. */
    REPEATED,
    /** No permit ever had such an id. */
    UNKNOWN
  }

  /**
   * Ends a permit: its request came to this outcome after so long.
   *
   * @throws LedgerException if the ledger cannot answer now; then whether it was booked is not
   *     known, and to say it again is safe
   */
  public Ending ended(String destinationId, String permitId, Outcome outcome, Duration took) {
    Ending ending = end(destinationId, permitId, stamp -> new Feedback.Ended(stamp, outcome, took));
    if (ending == Ending.BOOKED) {
      listener.permitEnded(
          destinationId, outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    }
    return ending;
  }

  /** Ends a permit that was not used: nothing was sent, and what it cost returns. */
  public Ending notSent(String destinationId, String permitId) {
    return end(destinationId, permitId, Feedback.HandedBack::new);
  }

  private Ending end(String destinationId, String permitId, Function<Stamp, Feedback> feedback) {
    PermitIds.Parts parts = PermitIds.read(permitId).orElse(null);
    if (parts == null || parts.shard() >= shards) {
      return Ending.UNKNOWN;
    }
    PermitDecisions decisions = PermitDecisions.ending(limits, time.trusted(), feedback);
    PermitEnd end =
        queued(destinationId, () -> ledger.endPermit(parts.shard(), permitId, decisions));
    tell(destinationId, decisions);
    return switch (end) {
      case BOOKED -> Ending.BOOKED;
      case EXPIRED -> Ending.EXPIRED;
      case ENDED_BEFORE -> endedBefore(permitId);
    };
  }

  /** How a permit that is not open any more ended, as far as its id tells. */
  public Ending endedBefore(String permitId) {
    return PermitIds.read(permitId)
        .filter(parts -> parts.shard() < shards)
        .map(parts -> parts.expiresAt().isAfter(time.now()) ? Ending.REPEATED : Ending.EXPIRED)
        .orElse(Ending.UNKNOWN);
  }

  /** Ends what nobody came back with, a batch in each shard; how many permits. */
  public int expire() {
    int expired = 0;
    for (int shard = 0; shard < shards; shard++) {
      PermitDecisions decisions = PermitDecisions.expiring(limits, time.trusted());
      expired += ledger.expirePermits(shard, MOST_EXPIRING, decisions);
      listener.seen(decisions.sightings());
      decisions.sightings().forEach(one -> answered.accept(one.destinationId()));
    }
    return expired;
  }

  private void tell(String destinationId, PermitDecisions decisions) {
    if (decisions.sightings().isEmpty()) {
      return;
    }
    listener.seen(decisions.sightings());
    answered.accept(destinationId);
    BudgetState after = decisions.after();
    follow(destinationId, after == null ? null : after.closed());
  }

  /** A budget that closed itself: its gate must follow, as after a claim that finds it closed. */
  private void follow(String destinationId, @Nullable RefuseReason reason) {
    if (reason != null && reason != RefuseReason.RATE_ZERO) {
      closedItself.accept(destinationId, reason);
    }
  }

  private <T> T queued(String destinationId, Supplier<T> work) {
    ReentrantLock queue = queues[Math.floorMod(destinationId.hashCode(), QUEUES)];
    try {
      if (!queue.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new LedgerException(
            "%d others wait for permits of %s or its neighbours; none came through within %d ms"
                .formatted(queue.getQueueLength(), destinationId, PATIENCE.toMillis()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerException("interrupted while waiting for permits of " + destinationId, e);
    }
    try {
      return work.get();
    } finally {
      queue.unlock();
    }
  }
}
