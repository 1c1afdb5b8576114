package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.redrive.RedriveCounts;
import io.penstock.engine.redrive.RedriveFilter;
import io.penstock.engine.redrive.RedriveKey;
import io.penstock.engine.redrive.RedriveOutcome;
import io.penstock.engine.redrive.RedrivePlan;
import io.penstock.engine.redrive.RedriveSettings;
import io.penstock.engine.redrive.RedriveState;
import io.penstock.engine.redrive.RedriveTask;
import io.penstock.engine.redrive.Redrives;
import io.penstock.engine.redrive.Redrives.Command;
import io.penstock.engine.redrive.Redrives.Commanded;
import io.penstock.engine.redrive.Redrives.Event;
import io.penstock.engine.redrive.Redrives.Started;
import io.penstock.engine.redrive.Redrives.Stepped;
import io.penstock.testkit.rows.DeliveryRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Redrives as stored tasks. */
public interface RedriveTaskContract extends InWorld {

  private RedriveTask started(String id, RedriveFilter filter) {
    Started started = world().redrives.start(id, filter, RedriveSettings.DEFAULT, BY);
    assertThat(started).isInstanceOf(Started.Active.class);
    return ((Started.Active) started).task();
  }

  private RedriveTask startedAll(String destinationId) {
    return started("rdr_1", RedriveFilter.allOf(destinationId));
  }

  private Stepped.Done step(RedriveKey key, int most) {
    Stepped stepped = world().redrives.step(key, "node-1", new TestingRedriveRule(most));
    assertThat(stepped).isInstanceOf(Stepped.Done.class);
    return (Stepped.Done) stepped;
  }

  private RedriveTask look(RedriveKey key) {
    world().clock.advance(Duration.ofMillis(300));
    return step(key, 0).task();
  }

  private List<Event> events(RedriveKey key) {
    return world().redrives.events(key, null, 0, 1_000);
  }

  private List<DeliveryKey> dead(Destination destination, int count) {
    List<DeliveryKey> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(world().dead(destination));
    }
    return made;
  }

  @Test
  default void a_destination_has_one_active_redrive() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.destination("dst_b");
    w.dead(destination);
    RedriveTask task = startedAll("dst_a");
    assertThat(task.progress().state()).isEqualTo(RedriveState.STARTING);
    assertThat(task.tenantId()).isEqualTo("acme");
    assertThat(task.startedBy()).isEqualTo(BY.actor());
    assertThat(w.redrives.find("rdr_1")).contains(task);

    RedriveFilter all = RedriveFilter.allOf("dst_a");
    assertThat(w.redrives.start("rdr_2", all, RedriveSettings.DEFAULT, BY))
        .isEqualTo(new Started.Busy(task));
    started("rdr_b", RedriveFilter.allOf("dst_b"));
    assertThat(w.redrives.start("rdr_x", RedriveFilter.allOf("dst_x"), RedriveSettings.DEFAULT, BY))
        .isEqualTo(new Started.NoDestination("dst_x"));

    w.redrives.command("rdr_1", Command.CANCEL, BY);
    started("rdr_2", all);
  }

  @Test
  default void a_start_told_again_gives_the_task_as_it_is_by_now() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    RedriveKey key = startedAll("dst_a").key();
    RedriveTask ended = step(key, 10).task();
    assertThat(ended.progress().state()).isEqualTo(RedriveState.COMPLETED);
    w.dead(destination);

    RedriveTask again = startedAll("dst_a");

    assertThat(again).isEqualTo(w.redrives.find(key.id()).orElseThrow());
    assertThat(again.progress().state()).isEqualTo(RedriveState.COMPLETED);
    assertThat(step(key, 10).released()).isZero();
  }

  @Test
  @DisplayName("case 19: a redrive releases with fresh attempts, a fresh age and the same event")
  default void case19_what_is_released_starts_afresh() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey key = w.dead(destination);
    DeliveryRow before = w.row(key);
    w.clock.advance(Duration.ofHours(50));
    RedriveTask task = startedAll("dst_a");

    Stepped.Done done = step(task.key(), 10);

    assertThat(done.released()).isEqualTo(1);
    DeliveryRow row = w.row(key);
    assertThat(row.state()).isEqualTo(DeliveryState.PENDING);
    assertThat(row.lane()).isEqualTo(Lane.REDRIVE);
    assertThat(row.attempt()).isZero();
    assertThat(row.ageFrom()).isEqualTo(w.now());
    assertThat(row.redriveCount()).isEqualTo(1);
    assertThat(row.leaseNo()).isGreaterThan(before.leaseNo());
    assertThat(events(task.key()))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.key()).isEqualTo(key);
          assertThat(event.leaseNo()).isEqualTo(row.leaseNo());
          assertThat(event.outcome()).isEqualTo(RedriveOutcome.WAITING);
          assertThat(event.at()).isEqualTo(w.now());
          assertThat(event.endedAt()).isNull();
        });
    assertThat(w.claimOne(destination).key()).isEqualTo(key);
  }

  @Test
  default void it_releases_the_oldest_first_and_as_many_as_it_may() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    List<DeliveryKey> keys = dead(destination, 5);
    RedriveKey key = startedAll("dst_a").key();
    assertThat(step(key, 2).released()).isEqualTo(2);
    assertThat(events(key)).extracting(Event::key).isEqualTo(keys.subList(0, 2));
    assertThat(step(key, 2).released()).isEqualTo(2);
    Stepped.Done last = step(key, 2);
    assertThat(last.released()).isEqualTo(1);
    assertThat(last.task().progress().exhausted()).isTrue();
    assertThat(events(key)).extracting(Event::key).isEqualTo(keys);
    Stepped.Done end = step(key, 2);
    assertThat(end.task().progress().state()).isEqualTo(RedriveState.COMPLETED);
    assertThat(end.task().endedAt()).isEqualTo(w.now());
    assertThat(end.task().matched()).isEqualTo(5);
  }

  @Test
  @DisplayName("case 20: a redrive does not feed on what it has returned to the shelf")
  default void case20_the_set_is_frozen_at_the_start() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    List<DeliveryKey> keys = dead(destination, 3);
    RedriveKey key = startedAll("dst_a").key();
    DeliveryKey later = w.dead(destination);
    int released = 0;
    for (int round = 0; round < 8; round++) {
      released += step(key, 1).released();
      for (Leased lease : w.claim(destination).leased()) {
        w.ledger.settle(
            destination.shard(), List.of(Settling.ended(lease)), TestingSettleRules.dies());
      }
      w.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(released).isEqualTo(3);
    assertThat(events(key)).extracting(Event::key).isEqualTo(keys);
    assertThat(w.row(later).redriveCount()).isZero();
    assertThat(look(key).progress().counts()).isEqualTo(new RedriveCounts(3, 0, 0, 0, 0, 3, 0, 0));
    assertThat(w.inspect.deadLetters("dst_a")).hasSize(7);
  }

  @Test
  default void what_became_of_each_message_is_told() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    List<DeliveryKey> keys = dead(destination, 5);
    RedriveKey key = startedAll("dst_a").key();
    step(key, 10);
    w.ledger.cancel(keys.get(3), BY, WaitingContract.NEVER);
    for (Leased lease : w.claim(destination).leased()) {
      int nth = keys.indexOf(lease.key());
      TestingSettleRules rules =
          switch (nth) {
            case 0 -> TestingSettleRules.delivers();
            case 1 -> TestingSettleRules.dies();
            case 2 -> TestingSettleRules.retryAt(w.now().plusSeconds(60));
            default -> TestingSettleRules.keepsPlace();
          };
      w.ledger.settle(destination.shard(), List.of(Settling.ended(lease)), rules);
    }
    RedriveTask task = look(key);
    assertThat(task.progress().counts()).isEqualTo(new RedriveCounts(5, 0, 1, 1, 1, 1, 1, 0));
    assertThat(events(key))
        .extracting(Event::outcome)
        .containsExactly(
            RedriveOutcome.DELIVERED,
            RedriveOutcome.DEAD,
            RedriveOutcome.RETRYING,
            RedriveOutcome.CANCELLED,
            RedriveOutcome.WAITING);
    assertThat(events(key).get(1).detail()).isEqualTo("rejected");
    assertThat(w.redrives.events(key, RedriveOutcome.DEAD, 0, 10))
        .extracting(Event::key)
        .containsExactly(keys.get(1));
  }

  @Test
  default void what_others_took_from_the_shelf_meanwhile_is_skipped_and_told() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    List<DeliveryKey> keys = dead(destination, 3);
    w.clock.advance(Duration.ofSeconds(1));
    RedriveKey key = startedAll("dst_a").key();
    w.clock.advance(Duration.ofSeconds(1));
    assertThat(w.ledger.redrive(keys.get(1), BY)).isTrue();
    Stepped.Done done = step(key, 10);
    assertThat(done.released()).isEqualTo(2);
    assertThat(done.task().progress().counts().skipped()).isEqualTo(1);
    assertThat(done.task().matched()).isEqualTo(3);
    assertThat(events(key).get(1).outcome()).isEqualTo(RedriveOutcome.SKIPPED);
    assertThat(events(key).get(1).detail()).isEqualTo("left_the_shelf");
    assertThat(w.row(keys.get(1)).redriveCount()).isEqualTo(1);
  }

  @Test
  default void only_the_last_death_of_a_delivery_matches() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    DeliveryKey twice = w.dead(destination);
    DeliveryKey healed = w.dead(destination);
    w.clock.advance(Duration.ofHours(1));
    w.ledger.redrive(twice, BY);
    w.ledger.redrive(healed, BY);
    for (Leased lease : w.claim(destination).leased()) {
      boolean heals = lease.key().equals(healed);
      w.ledger.settle(
          destination.shard(),
          List.of(Settling.ended(lease)),
          heals ? TestingSettleRules.delivers() : TestingSettleRules.dies());
    }
    w.clock.advance(Duration.ofHours(1));
    assertThat(w.redrives.plan(RedriveFilter.allOf("dst_a"), Duration.ofSeconds(5)).matched())
        .isEqualTo(1);
    RedriveKey key = startedAll("dst_a").key();
    assertThat(step(key, 10).released()).isEqualTo(1);
    assertThat(events(key)).extracting(Event::key).containsExactly(twice);
    assertThat(w.row(twice).redriveCount()).isEqualTo(2);
    assertThat(w.row(healed).state()).isEqualTo(DeliveryState.DELIVERED);
  }

  @Test
  default void a_filter_narrows_by_each_of_its_conditions() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.dead(w.destination("dst_b"));
    DeliveryKey rejected = w.dead(destination);
    w.clock.advance(Duration.ofSeconds(10));
    Instant between = w.now();
    w.clock.advance(Duration.ofSeconds(10));
    DeliveryKey expired = w.deliver(destination);
    w.ledger.shelve(destination.shard(), "dst_a", Reason.EXPIRED, 10);
    Set<String> none = Set.of();

    assertMatches(RedriveFilter.allOf("dst_a"), rejected, expired);
    assertMatches(filter(Set.of("delivered"), Set.of(), Set.of(), none), rejected);
    assertMatches(filter(Set.of("gone"), Set.of(), Set.of(), none));
    assertMatches(filter(none, Set.of(Reason.EXPIRED, Reason.GONE), Set.of(), none), expired);
    assertMatches(filter(none, Set.of(), Set.of(Settling.STATUS, 500), none), rejected);
    assertMatches(filter(none, Set.of(), Set.of(0), none), expired);
    assertMatches(filter(none, Set.of(), Set.of(), Set.of("order.paid")), rejected, expired);
    assertMatches(filter(none, Set.of(), Set.of(), Set.of("order.lost")));
    assertMatches(timed(between, null), expired);
    assertMatches(timed(null, between), rejected);
    assertMatches(
        new RedriveFilter(
            "dst_a", none, Set.of(), Set.of(), null, null, none, Set.of(expired.eventId())),
        expired);
  }

  private static RedriveFilter filter(
      Set<String> outcomes, Set<Reason> reasons, Set<Integer> statuses, Set<String> types) {
    return new RedriveFilter("dst_a", outcomes, reasons, statuses, null, null, types, Set.of());
  }

  private static RedriveFilter timed(@Nullable Instant from, @Nullable Instant before) {
    return new RedriveFilter(
        "dst_a", Set.of(), Set.of(), Set.of(), from, before, Set.of(), Set.of());
  }

  private void assertMatches(RedriveFilter filter, DeliveryKey... wanted) {
    LedgerWorld w = world();
    RedrivePlan plan = w.redrives.plan(filter, Duration.ofSeconds(5));
    assertThat(plan.exact()).isTrue();
    assertThat(plan.matched()).isEqualTo(wanted.length);
    assertThat(plan.sample())
        .extracting(RedrivePlan.Sample::eventId)
        .containsExactlyElementsOf(List.of(wanted).stream().map(DeliveryKey::eventId).toList());
    String id = "rdr_" + w.eventId();
    started(id, filter);
    assertThat(w.redrives.find(id).orElseThrow().filter()).isEqualTo(filter);
    w.redrives.command(id, Command.CANCEL, BY);
  }

  @Test
  default void each_message_is_released_once_however_many_nodes_step() throws Exception {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    List<DeliveryKey> keys = dead(destination, 40);
    RedriveKey key = startedAll("dst_a").key();
    List<Integer> nodes = List.of(1, 2, 3, 4);
    AtOnce.all(
        nodes,
        node -> {
          int released = 0;
          for (int i = 0; i < 60; i++) {
            Stepped stepped = w.redrives.step(key, "node-" + node, new TestingRedriveRule(3));
            released += stepped instanceof Stepped.Done done ? done.released() : 0;
          }
          return released;
        });
    while (!w.redrives.find("rdr_1").orElseThrow().progress().exhausted()) {
      w.clock.advance(Duration.ofSeconds(5));
      w.redrives.step(key, "node-9", new TestingRedriveRule(3));
    }
    assertThat(events(key)).extracting(Event::key).isEqualTo(keys);
    for (DeliveryKey one : keys) {
      assertThat(w.row(one).redriveCount()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("case 21: a step that breaks off leaves nothing behind, and the next goes on")
  default void case21_a_step_is_all_or_nothing() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    dead(destination, 4);
    RedriveKey key = startedAll("dst_a").key();
    step(key, 2);
    RedriveTask before = w.redrives.find("rdr_1").orElseThrow();
    assertThatThrownBy(() ->
            w.redrives.step(
                key,
                "node-1",
                new BrokenRedriveRule(new IllegalStateException("killed in the middle"))))
        .hasMessageContaining("killed in the middle");
    assertThat(w.redrives.find("rdr_1")).contains(before);
    assertThat(events(key)).hasSize(2);
    w.clock.advance(Duration.ofSeconds(10));
    Stepped after = w.redrives.step(key, "node-2", TestingRedriveRule.ALL);
    assertThat(after)
        .isInstanceOfSatisfying(
            Stepped.Done.class, done -> assertThat(done.released()).isEqualTo(2));
    assertThat(events(key)).hasSize(4);
  }

  @Test
  default void it_is_paused_resumed_and_cancelled_and_the_audit_tells() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    dead(destination, 3);
    RedriveKey key = startedAll("dst_a").key();
    step(key, 1);
    int before = w.inspect.audit().size();

    assertThat(state(w.redrives.command("rdr_1", Command.PAUSE, BY)))
        .isEqualTo(RedriveState.PAUSED);
    assertThat(w.redrives.command("rdr_1", Command.PAUSE, BY))
        .isInstanceOf(Commanded.WrongState.class);
    assertThat(step(key, 1).released()).isZero();
    assertThat(state(w.redrives.command("rdr_1", Command.RESUME, BY)))
        .isEqualTo(RedriveState.STARTING);
    assertThat(step(key, 1).released()).isEqualTo(1);
    assertThat(state(w.redrives.command("rdr_1", Command.CANCEL, BY)))
        .isEqualTo(RedriveState.CANCELLED);
    assertThat(step(key, 1).released()).isZero();
    for (Command command : Command.values()) {
      assertThat(w.redrives.command("rdr_1", command, BY)).isInstanceOf(Commanded.WrongState.class);
    }
    assertThat(w.redrives.command("rdr_0", Command.PAUSE, BY))
        .isEqualTo(new Commanded.NotFound("rdr_0"));
    assertThat(events(key)).hasSize(2);
    List<String> told = new ArrayList<>();
    w.inspect.audit().stream()
        .skip(before)
        .forEach(line -> {
          assertThat(line.subject()).isEqualTo("dst_a/rdr_1");
          told.add(line.action());
        });
    assertThat(told).containsExactly("redrive.pause", "redrive.resume", "redrive.cancel");
  }

  private static RedriveState state(Commanded commanded) {
    assertThat(commanded).isInstanceOf(Commanded.Done.class);
    return ((Commanded.Done) commanded).task().progress().state();
  }

  @Test
  default void who_wants_a_step_is_told_until_all_outcomes_are_known() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.dead(destination);
    assertThat(w.redrives.due("node-1", 10).now()).isEmpty();
    RedriveKey key = startedAll("dst_a").key();
    assertThat(w.redrives.due("node-1", 10).now()).containsExactly(key);
    Stepped stepped = w.redrives.step(key, "node-1", new TestingRedriveRule(1));
    assertThat(stepped).isInstanceOf(Stepped.Done.class);
    Redrives.Due due = w.redrives.due("node-1", 10);
    assertThat(due.now()).isEmpty();
    assertThat(due.nextIn()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(1));
    w.clock.advance(Duration.ofSeconds(1));
    assertThat(w.redrives.due("node-1", 10).now()).containsExactly(key);
  }

  @Test
  default void they_are_listed_newest_first() {
    LedgerWorld w = world();
    w.destination("dst_a");
    w.destination("dst_b");
    started("rdr_1", RedriveFilter.allOf("dst_a"));
    w.clock.advance(Duration.ofSeconds(1));
    RedriveTask newest = started("rdr_2", RedriveFilter.allOf("dst_b"));
    w.redrives.command("rdr_1", Command.CANCEL, BY);
    assertThat(list(Set.of(), null, null, null)).containsExactly("rdr_2", "rdr_1");
    assertThat(list(Set.of("acme"), null, null, null)).containsExactly("rdr_2", "rdr_1");
    assertThat(list(Set.of("other"), null, null, null)).isEmpty();
    assertThat(list(Set.of(), "dst_a", null, null)).containsExactly("rdr_1");
    assertThat(list(Set.of(), null, true, null)).containsExactly("rdr_2");
    assertThat(list(Set.of(), null, false, null)).containsExactly("rdr_1");
    assertThat(list(Set.of(), null, null, new Redrives.Before(newest.startedAt(), "rdr_2")))
        .containsExactly("rdr_1");
  }

  private List<String> list(
      Set<String> tenants,
      @Nullable String destination,
      @Nullable Boolean active,
      Redrives.@Nullable Before before) {
    return world()
        .redrives
        .list(new Redrives.Listing(tenants, destination, active, before, 10))
        .stream()
        .map(task -> task.key().id())
        .toList();
  }
}
