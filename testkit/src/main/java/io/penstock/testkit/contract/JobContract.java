package io.penstock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.work.WorkSettings;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.HeldJob;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.JobsEnded;
import io.penstock.engine.ledger.Ledger.WalkEntry;
import io.penstock.engine.ledger.RenewRules;
import io.penstock.engine.ledger.Renewal;
import io.penstock.engine.ledger.Renewals;
import io.penstock.engine.ledger.SettleRules.LockedBudget;
import io.penstock.engine.ledger.Settled;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jobs of tubes: who holds them, what each lease is charged, and that each is settled once. */
public interface JobContract extends InWorld {
  /** One worker of the hundred, and jobs of 10 s until more is known. */
  BudgetSettings METERED =
      LedgerWorld.WIDE.with(
          new WorkSettings(1, Duration.ofMinutes(15), Duration.ofSeconds(10), 100));

  @Test
  default void a_claim_tells_of_each_destination_whether_it_is_a_tube() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    w.deliver(tube);
    TestingClaimRules rules = TestingClaimRules.everything(METERED);
    w.claim(rules, tube);
    assertThat(rules.asked().getFirst().mode()).isEqualTo(Destination.Mode.PULL);
  }

  @Test
  default void a_leased_job_is_charged_and_a_renewal_charges_what_is_held_beyond() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    DeliveryKey key = w.deliver(tube);
    double before = balance(w, tube);
    Leased lease = lease(w, tube, 1).getFirst();
    assertThat(balance(w, tube)).isCloseTo(before - 10, within(0.001));

    w.clock.advance(Duration.ofSeconds(15));
    Renewals renewed = renew(w, Duration.ofSeconds(30), ref(lease));

    assertThat(renewed.until()).containsExactly(Optional.of(w.now().plusSeconds(30)));
    assertThat(w.row(key).leaseUntil()).isEqualTo(w.now().plusSeconds(30));
    assertThat(balance(w, tube)).as("15 s came, 15 s are paid").isCloseTo(before, within(0.001));
    assertThat(w.row(key).leaseNo()).isEqualTo(lease.leaseNo());
  }

  @Test
  default void an_end_corrects_the_charge_to_what_the_job_took_and_comes_once() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    DeliveryKey key = w.deliver(tube);
    double before = balance(w, tube);
    Leased lease = lease(w, tube, 1).getFirst();
    w.clock.advance(Duration.ofSeconds(4));

    JobsEnded ended = end(w, TestingJobRules.completes(METERED), ref(lease), ref(lease));

    assertThat(ended.jobs().getFirst()).isPresent();
    assertThat(ended.jobs().getLast()).as("once, also within a batch").isEmpty();
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.DELIVERED);
    assertThat(balance(w, tube)).isCloseTo(before + 4 - 4, within(0.001));
    assertThat(w.inFlight(tube)).isZero();
    assertThat(w.inspect.attempts(key)).hasSize(1);
    assertThat(end(w, TestingJobRules.completes(METERED), ref(lease)).jobs()).containsOnly(none());
    assertThat(w.inFlight(tube)).isZero();
  }

  @Test
  @DisplayName("case 25: a renewal moves the deadline, so a long job is not run twice")
  default void case25_a_renewed_job_is_not_taken_back() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    w.deliver(tube);
    Leased lease = lease(w, tube, 1).getFirst();
    for (int i = 0; i < 10; i++) {
      w.clock.advance(LedgerWorld.LEASE.minusSeconds(1));
      assertThat(w.ledger.expiredJobs(tube.shard(), 10)).isEmpty();
      assertThat(renew(w, LedgerWorld.LEASE, ref(lease)).until().getFirst()).isPresent();
    }
    w.clock.advance(LedgerWorld.LEASE);
    assertThat(w.ledger.expiredJobs(tube.shard(), 10)).hasSize(1);
  }

  @Test
  @DisplayName("case 24: the jobs of a worker that died are found as soon as their leases run out")
  default void case24_jobs_whose_leases_ran_out_are_listed_with_what_they_were_charged() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    Destination other = w.destination("dst_pushed");
    w.deliver(tube);
    w.deliver(other);
    Leased lease = lease(w, tube, 1).getFirst();
    w.claimOne(other);
    assertThat(w.ledger.expiredJobs(tube.shard(), 10)).isEmpty();
    w.clock.set(lease.leaseUntil());

    HeldJob lost = w.ledger.expiredJobs(tube.shard(), 10).getFirst();

    assertThat(lost.lease().key()).isEqualTo(lease.key());
    assertThat(lost.charged()).isEqualTo(Duration.ofSeconds(10));
    assertThat(lost.worker()).isEqualTo("worker-0");
    assertThat(lost.heldFrom()).isEqualTo(lease.leaseUntil().minus(LedgerWorld.LEASE));
    assertThat(w.ledger.expiredLeases(tube.shard(), 10))
        .as("what is pushed is recovered apart")
        .noneMatch(pushed -> pushed.key().equals(lease.key()));
    if (other.shard() == tube.shard()) {
      assertThat(w.ledger.expiredLeases(tube.shard(), 10)).hasSize(1);
    }
  }

  @Test
  default void a_lost_lease_is_charged_until_it_ran_out_and_the_job_waits_again() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    DeliveryKey key = w.deliver(tube);
    double before = balance(w, tube);
    Leased lease = lease(w, tube, 1).getFirst();
    assertThat(end(w, TestingJobRules.losesAt(METERED, lease.leaseUntil()), ref(lease)).jobs())
        .as("not before it has run out")
        .containsOnly(none());
    w.clock.advance(LedgerWorld.LEASE.plusSeconds(5));

    end(w, TestingJobRules.losesAt(METERED, w.now()), ref(lease));

    assertThat(w.row(key).state()).isEqualTo(DeliveryState.RETRYING);
    assertThat(w.row(key).attempt()).isEqualTo(1);
    assertThat(w.inFlight(tube)).isZero();
    assertThat(balance(w, tube)).isCloseTo(before + 25 - 20, within(0.001));
  }

  @Test
  @DisplayName("case 26: a late finish after the rescue changes nothing, and one before it wins")
  default void case26_the_lease_number_decides() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    DeliveryKey key = w.deliver(tube);
    Leased old = lease(w, tube, 1).getFirst();
    w.clock.advance(LedgerWorld.LEASE);
    end(w, TestingJobRules.losesAt(METERED, w.now()), ref(old));
    Leased current = lease(w, tube, 1).getFirst();
    DeliveryRow before = w.row(key);
    BudgetState budget = w.inspect.budget(tube.budgetId());

    assertThat(end(w, TestingJobRules.completes(METERED), ref(old)).jobs()).containsOnly(none());
    assertThat(renew(w, LedgerWorld.LEASE, ref(old)).until()).containsOnly(Optional.empty());
    assertThat(w.row(key)).isEqualTo(before);
    assertThat(w.inspect.budget(tube.budgetId())).isEqualTo(budget);

    w.clock.advance(LedgerWorld.LEASE.plusSeconds(1));
    assertThat(end(w, TestingJobRules.completes(METERED), ref(current)).jobs())
        .as("it ran out, and nobody had taken it back")
        .doesNotContain(none());
    assertThat(end(w, TestingJobRules.losesAt(METERED, w.now()), ref(current)).jobs())
        .containsOnly(none());
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.DELIVERED);
  }

  @Test
  default void a_job_that_is_handed_back_keeps_its_place_and_costs_nothing() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    DeliveryKey key = w.deliver(tube);
    DeliveryRow before = w.row(key);
    double balance = balance(w, tube);
    Leased lease = lease(w, tube, 1).getFirst();

    end(w, TestingJobRules.handsBack(METERED), ref(lease));

    DeliveryRow after = w.row(key);
    assertThat(after.state()).isEqualTo(DeliveryState.PENDING);
    assertThat(after.attempt()).isZero();
    assertThat(after.notBefore()).isEqualTo(before.notBefore());
    assertThat(after.position()).isEqualTo(before.position());
    assertThat(balance(w, tube)).isCloseTo(balance, within(0.001));
    assertThat(w.inspect.attempts(key)).isEmpty();
  }

  @Test
  default void cancelling_a_held_job_charges_it_until_then_and_its_worker_is_told() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    DeliveryKey key = w.deliver(tube);
    Leased lease = lease(w, tube, 1).getFirst();
    w.clock.advance(Duration.ofSeconds(3));
    List<HeldJob> held = new ArrayList<>();
    BudgetRule freed =
        new BudgetRule() {
          @Override
          public BudgetState apply(String id, @Nullable BudgetState state, Instant now) {
            throw new AssertionError("it is a job");
          }

          @Override
          public BudgetState applyToJob(
              String id, @Nullable BudgetState state, HeldJob job, Instant now) {
            held.add(job);
            return Budget.ask(Objects.requireNonNull(state), METERED, now).state();
          }
        };

    assertThat(w.ledger.cancel(key, LedgerWorld.BY, freed)).isTrue();

    assertThat(held).hasSize(1);
    assertThat(held.getFirst().heldAt(w.now())).isEqualTo(Duration.ofSeconds(3));
    assertThat(renew(w, LedgerWorld.LEASE, ref(lease)).until()).containsOnly(Optional.empty());
    assertThat(w.row(key).state()).isEqualTo(DeliveryState.CANCELLED);
  }

  @Test
  @DisplayName(
      "case 13: of 64 workers that ask one tube at once no more pass than the balance covers")
  default void case13_many_workers_at_once_never_exceed_the_balance() throws Exception {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    for (int i = 0; i < 100; i++) {
      w.deliver(tube);
    }
    List<JobRef> teachers = new ArrayList<>();
    lease(w, tube, 3).forEach(lease -> teachers.add(ref(lease)));
    w.clock.advance(Duration.ofSeconds(10));
    end(w, TestingJobRules.completes(METERED), teachers.toArray(JobRef[]::new));
    w.clock.advance(Duration.ofSeconds(50));
    double balance = balance(w, tube);

    List<Integer> workers = IntStream.range(0, 64).boxed().toList();
    List<Leased> leased = new ArrayList<>();
    AtOnce.all(workers, worker -> leaseByBudget(w, tube, worker)).forEach(leased::addAll);

    int covered = (int) Math.floor(balance / 10);
    assertThat(covered).isBetween(1, 20);
    assertThat(leased.size()).isBetween(1, covered);
    assertThat(leased).extracting(Leased::key).doesNotHaveDuplicates();
    assertThat(balance(w, tube)).isGreaterThanOrEqualTo(-0.001);
    assertThat(w.inFlight(tube)).isEqualTo(leased.size());
  }

  @Test
  default void the_heads_of_named_destinations_are_told_and_those_with_nothing_are_left_out() {
    LedgerWorld w = world();
    List<Destination> three = w.neighbours(3);
    Instant first = w.now();
    w.deliver(three.get(0), Urgency.BATCH);
    w.clock.advance(Duration.ofSeconds(1));
    w.deliver(three.get(0));
    w.deliver(three.get(2));
    int shard = three.getFirst().shard();

    List<WalkEntry> heads = w.ledger.heads(shard, three.stream().map(Destination::id).toList());

    assertThat(heads).hasSize(2);
    assertThat(heads.getFirst().destinationId()).isEqualTo(three.get(0).id());
    assertThat(heads.getFirst().earliestNotBefore()).isEqualTo(first);
    assertThat(heads.getLast().destinationId()).isEqualTo(three.get(2).id());
    assertThat(heads.getLast().earliestNotBefore()).isEqualTo(w.now());
  }

  // ---- short ways

  private static Optional<Settled.Applied> none() {
    return Optional.empty();
  }

  private static Destination tube(LedgerWorld w, String id) {
    Destination made =
        new Destination(
            id, 0, LedgerWorld.TENANT, Destination.Mode.PULL, "", List.of(), List.of(), id, 1);
    return w.ledger
        .createDestination(made, LedgerWorld.budget(METERED), LedgerWorld.BY)
        .orElseThrow();
  }

  private static double balance(LedgerWorld w, Destination tube) {
    BudgetState state = w.inspect.budget(tube.budgetId());
    return Objects.requireNonNull(Budget.ask(state, METERED, w.now()).state().work()).seconds();
  }

  private static JobRef ref(Leased lease) {
    return new JobRef(lease.key(), lease.leaseNo());
  }

  private static List<Leased> lease(LedgerWorld w, Destination tube, int most) {
    return w.ledger
        .claim(
            new ClaimRequest(
                tube.shard(), List.of(tube.id()), LedgerWorld.NODE, most, LedgerWorld.ALL_BYTES),
            TestingJobClaims.most(METERED, most))
        .leased();
  }

  private static List<Leased> leaseByBudget(LedgerWorld w, Destination tube, int worker) {
    return w.ledger
        .claim(
            new ClaimRequest(
                tube.shard(), List.of(tube.id()), "node-" + worker % 3, 1, LedgerWorld.ALL_BYTES),
            TestingJobClaims.byBudget(METERED))
        .leased();
  }

  private static Renewals renew(LedgerWorld w, Duration lease, JobRef... jobs) {
    List<Renewal> batch = List.of(jobs).stream().map(job -> new Renewal(job, lease)).toList();
    return w.ledger.renew(jobs[0].key().shard(), batch, JobContract::charge);
  }

  private static RenewRules.Charged charge(
      Instant now, List<HeldJob> held, Map<String, LockedBudget> budgets) {
    Map<String, BudgetState> states = new HashMap<>();
    List<Duration> charged = new ArrayList<>();
    for (HeldJob job : held) {
      var budget = Objects.requireNonNull(budgets.get(job.lease().key().destinationId()));
      BudgetState before = states.getOrDefault(budget.budgetId(), budget.state());
      Budget.Renewed renewed = Budget.renew(before, METERED, job.charged(), job.heldAt(now), now);
      states.put(budget.budgetId(), renewed.state());
      charged.add(renewed.charged());
    }
    return new RenewRules.Charged(states, charged);
  }

  private static JobsEnded end(LedgerWorld w, TestingJobRules rules, JobRef... jobs) {
    return w.ledger.endJobs(jobs[0].key().shard(), List.of(jobs), rules);
  }
}
