package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static io.penstock.testkit.contract.WaitingContract.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import io.penstock.budget.permit.Permit;
import io.penstock.budget.permit.PermitRule;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Gate;
import io.penstock.engine.destination.GateAction;
import io.penstock.engine.destination.GateScope;
import io.penstock.engine.ledger.PermitLedger.Grant;
import io.penstock.engine.ledger.PermitLedger.PermitEnd;
import io.penstock.engine.ledger.PermitLedger.PermitRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Permits beside the budgets that they are taken from. */
public interface PermitContract extends InWorld {

  /** Ten tokens at once, five slots. */
  BudgetSettings FIVE_SLOTS = new BudgetSettings(10, 10, 5, Duration.ofSeconds(15));

  /** Takes up to so many, and ends with a 2xx. */
  final class Rules implements PermitRules {
    private static final AtomicInteger LAST = new AtomicInteger();

    private final BudgetSettings settings;
    private final int most;
    private final boolean mayExpire;
    final List<Permit> granted = Collections.synchronizedList(new ArrayList<>());
    Gate.@Nullable Closed closed;
    int expired;

    Rules(BudgetSettings settings, int most, boolean mayExpire) {
      this.settings = settings;
      this.most = most;
      this.mayExpire = mayExpire;
    }

    @Override
    public boolean mayExpire() {
      return mayExpire;
    }

    @Override
    public BudgetState expired(String id, BudgetState state, Stamp stamp, Instant now) {
      expired++;
      return PermitRule.expired(state, settings, stamp, now);
    }

    @Override
    public Grant take(String id, BudgetState state, Gate gate, Instant now) {
      closed = gate.closed();
      if (closed == null
          && PermitRule.take(state, settings, most, now) instanceof PermitRule.Asked.Granted g) {
        List<Permit> permits = new ArrayList<>();
        for (int i = 0; i < g.count(); i++) {
          permits.add(new Permit("prm_" + LAST.incrementAndGet(), g.stamp(), g.expiresAt()));
        }
        granted.addAll(permits);
        return new Grant(g.state(), permits);
      }
      return new Grant(state, List.of());
    }

    @Override
    public BudgetState ended(String id, BudgetState state, Stamp stamp, Instant now) {
      var outcome = new Outcome.Delivered(200, "ok", Hint.NONE);
      return PermitRule.ended(
          state, settings, new Feedback.Ended(stamp, outcome, Duration.ofMillis(5)), now);
    }
  }

  private static Rules rules(int most) {
    return new Rules(FIVE_SLOTS, most, true);
  }

  private static Destination limited(LedgerWorld w, String id) {
    Destination made = w.destination(id, LedgerWorld.TENANT, FIVE_SLOTS);
    w.clock.advance(Duration.ofSeconds(1));
    return made;
  }

  private static List<Permit> take(LedgerWorld w, Destination destination, int most) {
    Rules rules = rules(most);
    assertThat(w.ledger.takePermits(destination.id(), rules)).isPresent();
    return rules.granted;
  }

  @Test
  default void a_permit_holds_a_slot_of_the_budget_that_claims_use_until_it_ends_once() {
    LedgerWorld w = world();
    Destination destination = limited(w, "dst_a");
    List<Permit> three = take(w, destination, 3);
    assertThat(three).hasSize(3);
    assertThat(w.inFlight(destination)).isEqualTo(3);
    w.deliver(destination);
    w.deliver(destination);
    TestingClaimRules claim = TestingClaimRules.everything(FIVE_SLOTS);
    assertThat(w.claim(claim, destination).leased()).hasSize(2);
    assertThat(claim.asked().getFirst().state().inFlight()).isEqualTo(3);
    assertThat(take(w, destination, 1)).isEmpty();

    String id = three.getFirst().id();
    int shard = destination.shard();
    assertThat(w.ledger.destinationOfPermit(shard, id)).hasValue("dst_a");
    assertThat(w.ledger.endPermit(shard, id, rules(0))).isEqualTo(PermitEnd.BOOKED);
    BudgetState after = w.inspect.budget("dst_a");
    assertThat(after.inFlight()).isEqualTo(4);
    assertThat(w.ledger.endPermit(shard, id, rules(0))).isEqualTo(PermitEnd.ENDED_BEFORE);
    assertThat(w.ledger.destinationOfPermit(shard, id)).isEmpty();
    assertThat(w.inspect.budget("dst_a")).isEqualTo(after);
    assertThat(w.ledger.endPermit(shard, "prm_none", rules(0))).isEqualTo(PermitEnd.ENDED_BEFORE);
  }

  @Test
  default void a_destination_that_does_not_exist_has_none() {
    assertThat(world().ledger.takePermits("dst_none", rules(1))).isEmpty();
  }

  @Test
  default void an_expired_permit_frees_its_slot_whoever_sees_it_first() {
    LedgerWorld w = world();
    Destination taking = limited(w, "dst_take");
    Destination ending = limited(w, "dst_end");
    Destination idle = limited(w, "dst_idle");
    take(w, taking, 5);
    Permit late = take(w, ending, 1).getFirst();
    take(w, idle, 2);
    w.clock.advance(Duration.ofSeconds(20));

    assertThat(take(w, taking, 5)).hasSize(5);
    assertThat(w.inFlight(taking)).isEqualTo(5);

    Rules rules = rules(0);
    assertThat(w.ledger.endPermit(ending.shard(), late.id(), rules)).isEqualTo(PermitEnd.EXPIRED);
    assertThat(w.inFlight(ending)).isZero();

    int expired = 0;
    for (int shard = 0; shard < w.ledger.shards(); shard++) {
      expired += w.ledger.expirePermits(shard, 10, rules(0));
    }
    assertThat(expired).isEqualTo(2);
    assertThat(w.inFlight(idle)).isZero();
    assertThat(w.ledger.expirePermits(idle.shard(), 10, rules(0))).isZero();
  }

  @Test
  default void nothing_expires_while_the_clock_is_not_trusted() {
    LedgerWorld w = world();
    Destination destination = limited(w, "dst_a");
    Permit permit = take(w, destination, 5).getFirst();
    w.clock.advance(Duration.ofDays(1));
    Rules distrusting = new Rules(FIVE_SLOTS, 5, false);
    w.ledger.takePermits("dst_a", distrusting);
    assertThat(distrusting.granted).isEmpty();
    assertThat(w.ledger.expirePermits(destination.shard(), 10, distrusting)).isZero();
    assertThat(w.ledger.endPermit(destination.shard(), permit.id(), distrusting))
        .isEqualTo(PermitEnd.BOOKED);
    assertThat(w.inFlight(destination)).isEqualTo(4);
  }

  @Test
  default void a_closed_gate_is_shown_to_the_rules() {
    LedgerWorld w = world();
    Destination destination = limited(w, "dst_a");
    w.ledger.changeGate(new GateScope.OfTenant(LedgerWorld.TENANT), GateAction.PAUSE, BY, NEVER);
    Rules rules = rules(1);
    w.ledger.takePermits("dst_a", rules);
    assertThat(rules.closed).isEqualTo(Gate.Closed.PAUSED);
    assertThat(w.inFlight(destination)).isZero();
  }

  @Test
  default void sixty_four_takers_and_claimers_never_exceed_slots_or_tokens() throws Exception {
    LedgerWorld w = world();
    BudgetSettings seven = new BudgetSettings(10, 7, 40, Duration.ofSeconds(15));
    Destination tokens = w.destination("dst_tokens", LedgerWorld.TENANT, seven);
    Destination slots = limited(w, "dst_slots");
    List<Rules> ofTokens = new ArrayList<>();
    List<Rules> ofSlots = new ArrayList<>();
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Rules one = i % 2 == 0 ? new Rules(seven, 1 + i % 3, true) : rules(1 + i % 3);
      Destination its = i % 2 == 0 ? tokens : slots;
      (i % 2 == 0 ? ofTokens : ofSlots).add(one);
      tasks.add(() -> w.ledger.takePermits(its.id(), one).isPresent());
    }
    assertThat(AtOnce.all(tasks)).doesNotContain(false);
    assertThat(ofTokens.stream().mapToInt(one -> one.granted.size()).sum()).isEqualTo(7);
    assertThat(ofSlots.stream().mapToInt(one -> one.granted.size()).sum()).isEqualTo(5);
    assertThat(w.inFlight(slots)).isEqualTo(5);
    assertThat(w.inFlight(tokens)).isEqualTo(7);
  }

  @Test
  default void of_many_that_end_one_permit_one_is_booked() throws Exception {
    LedgerWorld w = world();
    Destination destination = limited(w, "dst_a");
    Permit permit = take(w, destination, 2).getFirst();
    List<Callable<PermitEnd>> tasks =
        Collections.nCopies(
            16, () -> w.ledger.endPermit(destination.shard(), permit.id(), rules(0)));
    assertThat(AtOnce.all(tasks)).containsOnlyOnce(PermitEnd.BOOKED);
    assertThat(w.inFlight(destination)).isEqualTo(1);
  }
}
