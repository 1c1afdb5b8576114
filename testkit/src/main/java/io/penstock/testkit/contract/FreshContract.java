package io.penstock.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Acceptance.Fanned;
import io.penstock.engine.ledger.Acceptance.Stored;
import io.penstock.engine.ledger.Acceptance.Suppressed;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.CompleteRun;
import io.penstock.engine.ledger.JobRef;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Freshness: a job is not made when its item had a complete run in its tube a short while ago. */
public interface FreshContract extends InWorld {
  Duration HOUR = Duration.ofHours(1);

  @Test
  default void a_complete_run_within_the_window_suppresses_and_is_named() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    Leased run = complete(w, tube, "page/1", "page.html", "links.csv");
    w.clock.advance(HOUR.minusMillis(1));

    NewEvent event = LedgerWorld.unlessFresh(w.event("tube_a"), "page/1", HOUR);
    Stored answer = (Stored) w.accept(event);

    assertThat(answer.deliveries()).isEmpty();
    assertThat(answer.suppressed())
        .containsExactly(
            new Suppressed(
                "tube_a",
                run.key().eventId(),
                run.leaseNo(),
                w.now().minus(HOUR).plusMillis(1),
                List.of("links.csv", "page.html")));
    assertThat(w.inspect.delivery(new DeliveryKey(tube.shard(), "tube_a", event.eventId())))
        .as("nothing waits")
        .isEmpty();
    assertThat(lease(w, tube)).isEmpty();
  }

  @Test
  default void a_run_as_old_as_the_window_suppresses_nothing() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    complete(w, tube, "page/1");
    w.clock.advance(HOUR);
    assertGoes(w, "tube_a", "page/1", HOUR);
    assertSuppressed(w, "tube_a", "page/1", HOUR.plusMillis(1));
  }

  @Test
  default void only_a_run_that_brought_all_that_is_required_suppresses() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    Leased whole = complete(w, tube, "page/1", "html", "pdf");
    w.clock.advance(Duration.ofMinutes(1));
    Leased light = complete(w, tube, "page/1", "html");

    assertThat(assertSuppressed(w, "tube_a", "page/1", HOUR).eventId())
        .as("the last one")
        .isEqualTo(light.key().eventId());
    assertThat(assertSuppressed(w, "tube_a", "page/1", HOUR, "html").eventId())
        .isEqualTo(light.key().eventId());
    assertThat(assertSuppressed(w, "tube_a", "page/1", HOUR, "pdf", "html").eventId())
        .as("a later run with less does not hide it")
        .isEqualTo(whole.key().eventId());
    assertGoes(w, "tube_a", "page/1", HOUR, "html", "png");
    assertGoes(w, "tube_a", "page/1", HOUR, "htm");
    assertGoes(w, "tube_a", "page/1", Duration.ofMinutes(1), "pdf");
  }

  @Test
  default void a_run_is_of_its_item_and_of_its_tube_alone() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    tube(w, "tube_b");
    complete(w, tube, "page/1");
    assertGoes(w, "tube_a", "page/2", HOUR);
    assertGoes(w, "tube_a", "PAGE/1", HOUR);
    assertGoes(w, "tube_b", "page/1", HOUR);
    assertThat(((Stored) w.accept(LedgerWorld.about(w.event("tube_a"), "page/1"))).deliveries())
        .as("who does not ask is not spared")
        .hasSize(1);
  }

  @Test
  default void runs_that_were_not_complete_never_suppress() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    run(w, tube, "page/1", TestingJobRules.completes(JobContract.METERED));
    run(w, tube, "page/1", TestingJobRules.handsBack(JobContract.METERED));
    Leased lease = lease(w, tube).getFirst();
    w.clock.advance(LedgerWorld.LEASE);
    end(w, TestingJobRules.losesAt(JobContract.METERED, w.now()), lease);
    end(w, TestingJobRules.completesWith(JobContract.METERED), lease);
    assertGoes(w, "tube_a", "page/1", HOUR);
  }

  @Test
  default void what_waits_or_runs_suppresses_nothing() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    assertGoes(w, "tube_a", "page/1", HOUR);
    assertThat(lease(w, tube)).hasSize(1);
    assertGoes(w, "tube_a", "page/1", HOUR);
  }

  @Test
  default void a_fan_out_goes_where_the_item_is_not_fresh() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    tube(w, "tube_b");
    w.destination("dst_pushed");
    complete(w, tube, "page/1");
    NewEvent event =
        LedgerWorld.unlessFresh(w.event("tube_a", "tube_b", "dst_pushed"), "page/1", HOUR);
    Stored answer = (Stored) w.accept(event);
    assertThat(answer.suppressed()).extracting(Suppressed::destinationId).containsExactly("tube_a");
    assertThat(answer.deliveries())
        .containsExactlyInAnyOrder(
            new Fanned("tube_b", DeliveryState.PENDING, null),
            new Fanned("dst_pushed", DeliveryState.PENDING, null));
  }

  @Test
  default void a_repeated_key_gets_the_first_answer_however_fresh_the_item_is_then() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    complete(w, tube, "page/1", "a", "b");
    Stored first = (Stored) w.accept(keyed(w, "k1"));
    assertThat(first.suppressed()).hasSize(1);
    w.clock.advance(HOUR.multipliedBy(2));
    assertThat(w.accept(keyed(w, "k1")))
        .isEqualTo(new Acceptance.Replayed(first.eventId(), List.of(), first.suppressed()));

    Stored second = (Stored) w.accept(keyed(w, "k2"));
    assertThat(second.deliveries()).hasSize(1);
    end(
        w,
        TestingJobRules.completesWith(JobContract.METERED, "a"),
        lease(w, tube).toArray(Leased[]::new));
    assertThat(w.accept(keyed(w, "k2")))
        .isEqualTo(new Acceptance.Replayed(second.eventId(), second.deliveries(), List.of()));
  }

  @Test
  default void a_batch_is_decided_one_by_one() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    complete(w, tube, "page/1");
    List<Acceptance> answers =
        w.ledger.accept(
            List.of(
                keyed(w, "k1"),
                LedgerWorld.unlessFresh(w.event("tube_a"), "page/2", HOUR),
                LedgerWorld.unlessFresh(w.event("tube_a"), "page/2", HOUR),
                w.event("tube_a"),
                keyed(w, "k1"),
                LedgerWorld.unlessFresh(w.event("nowhere"), "page/1", HOUR)));
    assertThat(((Stored) answers.get(0)).suppressed()).hasSize(1);
    assertThat(((Stored) answers.get(1)).deliveries()).hasSize(1);
    assertThat(((Stored) answers.get(2)).deliveries())
        .as("what waits does not suppress")
        .hasSize(1);
    assertThat(((Stored) answers.get(3)).deliveries()).hasSize(1);
    assertThat(((Acceptance.Replayed) answers.get(4)).suppressed()).hasSize(1);
    assertThat(answers.get(5)).isEqualTo(new Acceptance.UnknownDestination("nowhere"));
  }

  @Test
  default void a_fresh_item_is_answered_though_its_tube_is_full() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    complete(w, tube, "page/1");
    Room none = (_, _) -> new Room.DestinationFull(RoomContract.BOUND);
    List<Acceptance> answers =
        w.ledger.accept(
            List.of(
                LedgerWorld.unlessFresh(w.event("tube_a"), "page/1", HOUR),
                LedgerWorld.unlessFresh(w.event("tube_a"), "page/2", HOUR)),
            none);
    assertThat(((Stored) answers.getFirst()).suppressed()).hasSize(1);
    assertThat(answers.getLast()).isEqualTo(RoomContract.BOUND.refused());
  }

  @Test
  default void runs_of_one_item_that_end_together_are_noted_together() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    for (int i = 0; i < 3; i++) {
      w.accept(LedgerWorld.about(w.event("tube_a"), "page/1"));
    }
    List<Leased> leased = lease(w, tube);
    end(w, TestingJobRules.completesWith(JobContract.METERED, "a"), leased.toArray(Leased[]::new));
    assertThat(assertSuppressed(w, "tube_a", "page/1", HOUR, "a").eventId())
        .isIn(leased.stream().map(one -> one.key().eventId()).toList());
  }

  @Test
  default void so_many_sets_of_artifacts_are_remembered_of_an_item_and_the_oldest_is_forgotten() {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    complete(w, tube, "page/2", "another");
    for (int i = 0; i <= CompleteRun.MOST_SETS; i++) {
      w.clock.advance(Duration.ofSeconds(1));
      complete(w, tube, "page/1", "a" + i);
    }
    assertGoes(w, "tube_a", "page/1", HOUR, "a0");
    for (int i = 1; i <= CompleteRun.MOST_SETS; i++) {
      assertSuppressed(w, "tube_a", "page/1", HOUR, "a" + i);
    }
    assertSuppressed(w, "tube_a", "page/2", HOUR);
  }

  @Test
  default void an_enqueue_and_a_completion_at_once_leave_a_job_or_an_answer_never_both()
      throws Exception {
    LedgerWorld w = world();
    Destination tube = tube(w, "tube_a");
    for (int round = 0; round < 20; round++) {
      String item = "page/" + round;
      w.accept(LedgerWorld.about(w.event("tube_a"), item));
      Leased held = lease(w, tube).getFirst();
      List<Callable<Object>> both = new ArrayList<>();
      both.add(() -> end(w, TestingJobRules.completesWith(JobContract.METERED, "a"), held));
      for (int i = 0; i < 3; i++) {
        NewEvent event = LedgerWorld.unlessFresh(w.event("tube_a"), item, HOUR, "a");
        both.add(() -> w.accept(event));
      }
      int waiting = 0;
      for (Stored answer : AtOnce.only(AtOnce.all(both), Stored.class)) {
        assertThat(answer.deliveries().size() + answer.suppressed().size()).isEqualTo(1);
        answer
            .suppressed()
            .forEach(one -> assertThat(one.eventId()).isEqualTo(held.key().eventId()));
        waiting += answer.deliveries().size();
      }
      List<Leased> left = lease(w, tube);
      assertThat(left).hasSize(waiting);
      left.forEach(one -> end(w, TestingJobRules.completes(JobContract.METERED), one));
      assertSuppressed(w, "tube_a", item, HOUR, "a");
    }
  }

  // ---- short ways

  private static NewEvent keyed(LedgerWorld w, String key) {
    return LedgerWorld.unlessFresh(
        w.event(Urgency.BATCH, new byte[] {1}, key, "tube_a"), "page/1", HOUR);
  }

  private static void assertGoes(
      LedgerWorld w, String tube, String item, Duration within, String... requires) {
    Stored answer =
        (Stored) w.accept(LedgerWorld.unlessFresh(w.event(tube), item, within, requires));
    assertThat(answer.suppressed()).isEmpty();
    assertThat(answer.deliveries()).containsExactly(new Fanned(tube, DeliveryState.PENDING, null));
  }

  private static Suppressed assertSuppressed(
      LedgerWorld w, String tube, String item, Duration within, String... requires) {
    Stored answer =
        (Stored) w.accept(LedgerWorld.unlessFresh(w.event(tube), item, within, requires));
    assertThat(answer.deliveries()).isEmpty();
    assertThat(answer.suppressed()).hasSize(1);
    return answer.suppressed().getFirst();
  }

  /** A complete run of a new job about this item; its lease. */
  private static Leased complete(
      LedgerWorld w, Destination tube, String item, String... artifacts) {
    return run(w, tube, item, TestingJobRules.completesWith(JobContract.METERED, artifacts));
  }

  private static Leased run(LedgerWorld w, Destination tube, String item, TestingJobRules rules) {
    w.accept(LedgerWorld.about(w.event(tube.id()), item));
    Leased lease = lease(w, tube).getFirst();
    end(w, rules, lease);
    return lease;
  }

  private static List<Leased> lease(LedgerWorld w, Destination tube) {
    return w.ledger
        .claim(
            new ClaimRequest(
                tube.shard(),
                List.of(tube.id()),
                LedgerWorld.NODE,
                LedgerWorld.ALL,
                LedgerWorld.ALL_BYTES),
            TestingJobClaims.most(JobContract.METERED, LedgerWorld.ALL))
        .leased();
  }

  private static Object end(LedgerWorld w, TestingJobRules rules, Leased... leased) {
    List<JobRef> jobs =
        List.of(leased).stream().map(one -> new JobRef(one.key(), one.leaseNo())).toList();
    return w.ledger.endJobs(leased[0].key().shard(), jobs, rules);
  }

  private static Destination tube(LedgerWorld w, String id) {
    Destination made =
        new Destination(
            id, 0, LedgerWorld.TENANT, Destination.Mode.PULL, "", List.of(), List.of(), id, 1);
    return w.ledger
        .createDestination(made, LedgerWorld.budget(JobContract.METERED), LedgerWorld.BY)
        .orElseThrow();
  }
}
