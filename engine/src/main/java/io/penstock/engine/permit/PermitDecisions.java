package io.penstock.engine.permit;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Decision;
import io.penstock.budget.Feedback;
import io.penstock.budget.Stamp;
import io.penstock.budget.permit.Permit;
import io.penstock.budget.permit.PermitRule;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.history.Sighting;
import io.penstock.engine.ledger.PermitLedger;
import io.penstock.engine.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The decisions of one transaction about permits; remembers what it saw. Used by one thread. */
final class PermitDecisions implements PermitLedger.PermitRules {
  private final Limits limits;
  private final boolean mayExpire;
  private final int most;
  private final Function<Instant, String> newId;
  private final Function<Stamp, Feedback> feedback;
  private final List<Sighting> sightings = new ArrayList<>();
  private PermitAnswer answer = new PermitAnswer.Absent();
  private @Nullable BudgetState after;

  private PermitDecisions(
      Limits limits,
      boolean mayExpire,
      int most,
      Function<Instant, String> newId,
      Function<Stamp, Feedback> feedback) {
    this.limits = limits;
    this.mayExpire = mayExpire;
    this.most = most;
    this.newId = newId;
    this.feedback = feedback;
  }

  /** Of a transaction that takes up to so many. */
  static PermitDecisions taking(
      Limits limits, boolean mayExpire, int most, int shard, RandomGenerator random) {
    return new PermitDecisions(
        limits,
        mayExpire,
        most,
        expiresAt -> PermitIds.make(shard, expiresAt, random),
        PermitDecisions::nothing);
  }

  /** Of a transaction that ends one with this feedback. */
  static PermitDecisions ending(
      Limits limits, boolean mayExpire, Function<Stamp, Feedback> feedback) {
    return new PermitDecisions(limits, mayExpire, 0, _ -> noId(), feedback);
  }

  /** Of a transaction that only ends what has expired. */
  static PermitDecisions expiring(Limits limits, boolean mayExpire) {
    return new PermitDecisions(limits, mayExpire, 0, _ -> noId(), PermitDecisions::nothing);
  }

  private static String noId() {
    throw new IllegalStateException("a permit was granted where none was asked for");
  }

  private static Feedback nothing(Stamp stamp) {
    throw new IllegalStateException("a permit was ended where none was named: " + stamp);
  }

  @Override
  public boolean mayExpire() {
    return mayExpire;
  }

  @Override
  public BudgetState expired(String destinationId, BudgetState state, Stamp stamp, Instant now) {
    BudgetSettings settings = settings(destinationId);
    BudgetState freed = PermitRule.expired(state, settings, stamp, now);
    saw(destinationId, state, freed, new Feedback.LeaseLost(stamp), now);
    return freed;
  }

  @Override
  public PermitLedger.Grant take(String destinationId, BudgetState state, Gate gate, Instant now) {
    if (gate.closed() != null) {
      answer = new PermitAnswer.Closed(gate.closed());
      return new PermitLedger.Grant(state, List.of());
    }
    return switch (PermitRule.take(state, settings(destinationId), most, now)) {
      case PermitRule.Asked.Denied denied -> {
        answer = denied(denied, now);
        yield new PermitLedger.Grant(state, List.of()); // asking changes nothing that must be kept
      }
      case PermitRule.Asked.Granted granted -> {
        List<Permit> permits = new ArrayList<>(granted.count());
        for (int i = 0; i < granted.count(); i++) {
          permits.add(
              new Permit(newId.apply(granted.expiresAt()), granted.stamp(), granted.expiresAt()));
        }
        answer = new PermitAnswer.Granted(permits, granted.paceOver());
        yield new PermitLedger.Grant(granted.state(), permits);
      }
    };
  }

  private static PermitAnswer denied(PermitRule.Asked.Denied denied, Instant now) {
    return switch (denied.why().decision()) {
      case Decision.Wait wait ->
          new PermitAnswer.Later(wait, Duration.ofMillis(denied.why().retryAfterMillis()), now);
      case Decision.Refuse refuse -> new PermitAnswer.Refused(refuse, now);
      case Decision.Admit admit ->
          throw new IllegalStateException("denied although it was admitted: " + admit);
    };
  }

  @Override
  public BudgetState ended(String destinationId, BudgetState state, Stamp stamp, Instant now) {
    Feedback its = feedback.apply(stamp);
    BudgetState fed = PermitRule.ended(state, settings(destinationId), its, now);
    saw(destinationId, state, fed, its, now);
    return fed;
  }

  private void saw(
      String destinationId, BudgetState before, BudgetState now, Feedback its, Instant at) {
    after = now;
    sightings.add(Sighting.of(destinationId, before, now, settings(destinationId), its, at));
  }

  private BudgetSettings settings(String destinationId) {
    return limits.of(destinationId).budget();
  }

  PermitAnswer answer() {
    return answer;
  }

  /** What budgets looked like after each feedback and each expiry, in order. */
  List<Sighting> sightings() {
    return sightings;
  }

  /** The budget after the last feedback or expiry; null when there was none. */
  @Nullable BudgetState after() {
    return after;
  }
}
