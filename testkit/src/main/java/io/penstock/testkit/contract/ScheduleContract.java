package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static io.penstock.testkit.contract.LedgerWorld.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.event.Header;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.recurring.CatchUp;
import io.penstock.engine.recurring.CatchUp.Missed;
import io.penstock.engine.recurring.Firing;
import io.penstock.engine.recurring.FiringPlan;
import io.penstock.engine.recurring.Recurrence;
import io.penstock.engine.recurring.Schedule;
import io.penstock.engine.recurring.Schedules;
import io.penstock.engine.recurring.Schedules.Command;
import io.penstock.engine.recurring.Schedules.Commanded;
import io.penstock.engine.recurring.Schedules.Made;
import io.penstock.engine.recurring.Template;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Schedules: one event for each of their instants, whatever crashes or races. */
public interface ScheduleContract extends InWorld {
  Duration MINUTE = Duration.ofMinutes(1);
  CatchUp EACH = new CatchUp(Duration.ofMinutes(10), Missed.EACH);
  CatchUp ONCE = new CatchUp(Duration.ofMinutes(10), Missed.ONCE);

  private static Template template(String... destinations) {
    return new Template(
        "sync.due",
        "application/json",
        List.of(new Header("X-Kept-Case", "Yes")),
        "{\"full\": true}".getBytes(StandardCharsets.UTF_8),
        Urgency.BATCH,
        List.of(destinations));
  }

  private Made make(String id, Recurrence recurrence, CatchUp catchUp, String... destinations) {
    return world()
        .schedules
        .create(
            now ->
                Schedule.made(
                    id,
                    TENANT,
                    recurrence,
                    catchUp,
                    template(destinations),
                    "key:test",
                    "why",
                    now),
            BY);
  }

  /** One that comes at every full minute. */
  private Schedule minutely(String id, CatchUp catchUp, String... destinations) {
    Recurrence every = new Recurrence.Every(MINUTE, Instant.EPOCH);
    Made made = make(id, every, catchUp, destinations);
    assertThat(made).isInstanceOf(Made.Created.class);
    return ((Made.Created) made).schedule();
  }

  private List<FiringPlan.Done> fireOnce(Room room) {
    List<FiringPlan.Done> all = new ArrayList<>();
    for (int shard = 0; shard < world().ledger.shards(); shard++) {
      all.addAll(world().schedules.fire(shard, world()::eventId, room));
    }
    return all;
  }

  /** Fires until nothing is due; the instants that came. */
  private List<Instant> fire() {
    List<Instant> came = new ArrayList<>();
    List<FiringPlan.Done> done = fireOnce(Room.ENDLESS);
    while (!done.isEmpty()) {
      done.forEach(one -> one.firings().forEach(firing -> came.add(firing.at())));
      done = fireOnce(Room.ENDLESS);
    }
    return came;
  }

  private Schedule schedule(String id) {
    return world().schedules.find(id).orElseThrow();
  }

  /** The keys of all that waits for a destination; it is leased afterwards. */
  private List<String> keysSent(Destination destination) {
    List<String> keys = new ArrayList<>();
    for (Leased lease : world().claim(destination).leased()) {
      keys.add(lease.content().idempotencyKey());
    }
    return keys;
  }

  @Test
  default void a_schedule_is_kept_as_it_was_made() {
    LedgerWorld w = world();
    Recurrence cron = Recurrence.Cron.of("30 6 * * mon-fri", ZoneId.of("Europe/Berlin"), null);
    assertThat(make("sch_b", cron, EACH, "dst_a")).isInstanceOf(Made.Created.class);
    Schedule every = minutely("sch_a", ONCE);

    Schedule kept = schedule("sch_b");
    assertThat(kept.tenantId()).isEqualTo(TENANT);
    assertThat(((Recurrence.Cron) kept.recurrence()).expression().text())
        .isEqualTo("30 6 * * mon-fri");
    assertThat(kept.nextAt()).isEqualTo(Instant.parse("2026-03-11T05:30:00Z"));
    assertThat(kept.catchUp()).isEqualTo(EACH);
    assertThat(kept.template().body()).isEqualTo(template().body());
    assertThat(kept.template().headers()).containsExactly(new Header("X-Kept-Case", "Yes"));
    assertThat(kept.template().destinationIds()).containsExactly("dst_a");
    assertThat(kept.template().urgency()).isEqualTo(Urgency.BATCH);
    assertThat(kept.createdBy()).isEqualTo("key:test");
    assertThat(schedule("sch_a").recurrence()).isEqualTo(every.recurrence());

    assertThat(make("sch_a", cron, ONCE)).isEqualTo(new Made.Taken("sch_a"));
    assertThat(w.schedules.find("sch_c")).isEmpty();
    assertThat(w.schedules.list(Set.of(), null, 10))
        .extracting(Schedule::id)
        .containsExactly("sch_a", "sch_b");
    assertThat(w.schedules.list(Set.of(TENANT), "sch_a", 10))
        .extracting(Schedule::id)
        .containsExactly("sch_b");
    assertThat(w.schedules.list(Set.of("other"), null, 10)).isEmpty();
    assertThat(w.inspect.audit()).anyMatch(line -> line.action().equals("schedule.create"));
  }

  @Test
  default void a_schedule_of_no_tenant_is_not_made() {
    Made made =
        world()
            .schedules
            .create(
                now ->
                    Schedule.made(
                        "sch_a",
                        "nobody",
                        new Recurrence.Every(MINUTE, now),
                        ONCE,
                        template(),
                        "key:test",
                        "",
                        now),
                BY);
    assertThat(made).isEqualTo(new Made.NoTenant("nobody"));
  }

  @Test
  default void each_instant_sends_one_event_with_the_instant_in_its_key() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    minutely("sch_a", ONCE, "dst_a");
    Instant first = w.now().plus(MINUTE);
    assertThat(w.schedules.look().next().values()).containsExactly(first);
    assertThat(fire()).isEmpty();

    w.clock.set(first.plusMillis(250));
    assertThat(fire()).containsExactly(first);
    assertThat(fire()).isEmpty();
    Leased sent = w.claimOne(destination);
    assertThat(sent.content().idempotencyKey()).isEqualTo("schedule/sch_a/" + first);
    assertThat(sent.content().body()).isEqualTo(template().body());
    assertThat(sent.content().type()).isEqualTo("sync.due");
    assertThat(sent.urgency()).isEqualTo(Urgency.BATCH);

    Schedule after = schedule("sch_a");
    assertThat(after.nextAt()).isEqualTo(first.plus(MINUTE));
    assertThat(after.counts()).isEqualTo(new Schedule.Counts(1, 0, 0, 0));
    Firing last = Objects.requireNonNull(after.last());
    assertThat(last.at()).isEqualTo(first);
    assertThat(last.late()).isEqualTo(Duration.ofMillis(250));
    assertThat(last.eventId()).isEqualTo(sent.key().eventId());
    assertThat(w.schedules.firings("sch_a", null, 10)).containsExactly(last);
    assertThat(w.schedules.firings("sch_a", first, 10)).isEmpty();
    assertThat(w.schedules.look().next().values()).containsExactly(first.plus(MINUTE));
  }

  @Test
  default void after_an_outage_the_newest_is_made_up_and_the_rest_is_counted() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    minutely("sch_a", ONCE, "dst_a");
    Instant now = w.clock.advance(Duration.ofMinutes(30));
    assertThat(fire()).containsExactly(now);
    assertThat(schedule("sch_a").counts()).isEqualTo(new Schedule.Counts(1, 0, 19, 10));
    assertThat(keysSent(destination)).containsExactly("schedule/sch_a/" + now);
  }

  @Test
  default void or_each_within_the_window_is_made_up() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    minutely("sch_a", EACH, "dst_a");
    Instant now = w.clock.advance(Duration.ofMinutes(30));
    assertThat(fire()).hasSize(11).endsWith(now);
    assertThat(schedule("sch_a").counts()).isEqualTo(new Schedule.Counts(11, 0, 19, 0));
    assertThat(keysSent(destination)).hasSize(11).doesNotHaveDuplicates();
    assertThat(w.schedules.firings("sch_a", null, 100)).hasSize(11);
  }

  @Test
  default void what_is_paused_does_not_come_and_owes_nothing_when_it_is_resumed() {
    LedgerWorld w = world();
    w.destination("dst_a");
    minutely("sch_a", EACH, "dst_a");
    assertThat(w.schedules.command("sch_a", Command.RESUME, BY))
        .isInstanceOf(Commanded.Already.class);
    assertThat(w.schedules.command("sch_a", Command.PAUSE, BY)).isInstanceOf(Commanded.Done.class);
    assertThat(w.schedules.look().next()).isEmpty();
    w.clock.advance(Duration.ofMinutes(5));
    assertThat(fire()).isEmpty();
    assertThat(schedule("sch_a").nextAt()).isNull();
    assertThat(w.schedules.command("sch_a", Command.RESUME, BY)).isInstanceOf(Commanded.Done.class);
    assertThat(fire()).isEmpty();
    Instant next = w.clock.advance(MINUTE);
    assertThat(fire()).containsExactly(next);
    assertThat(w.schedules.command("sch_x", Command.PAUSE, BY))
        .isEqualTo(new Commanded.NotFound("sch_x"));
    assertThat(w.inspect.audit())
        .extracting(line -> line.action())
        .contains("schedule.pause", "schedule.resume");
  }

  @Test
  default void what_is_deleted_does_not_come() {
    LedgerWorld w = world();
    minutely("sch_a", ONCE);
    w.clock.advance(MINUTE);
    assertThat(fire()).hasSize(1);
    assertThat(w.schedules.delete("sch_a", BY)).isTrue();
    assertThat(w.schedules.delete("sch_a", BY)).isFalse();
    w.clock.advance(MINUTE);
    assertThat(fire()).isEmpty();
    assertThat(w.schedules.find("sch_a")).isEmpty();
    assertThat(w.schedules.firings("sch_a", null, 10)).isEmpty();
  }

  @Test
  default void what_is_refused_is_counted_with_its_reason_and_stops_nobody() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    minutely("sch_a", ONCE, "dst_nowhere");
    minutely("sch_b", ONCE, "dst_a");
    w.clock.advance(MINUTE);
    assertThat(fire()).hasSize(2);
    Schedule refused = schedule("sch_a");
    assertThat(refused.counts()).isEqualTo(new Schedule.Counts(0, 1, 0, 0));
    assertThat(refused.nextAt()).isEqualTo(w.now().plus(MINUTE));
    Firing last = Objects.requireNonNull(refused.last());
    assertThat(last.problem()).contains("dst_nowhere");
    assertThat(w.schedules.firings("sch_a", null, 10)).containsExactly(last);
    assertThat(keysSent(destination)).hasSize(1);

    Room.Bound bound = new Room.Bound("destination dst_a", 5, 5, Duration.ofSeconds(1));
    w.clock.advance(MINUTE);
    List<FiringPlan.Done> done = fireOnce((_, _) -> new Room.DestinationFull(bound));
    assertThat(done)
        .anySatisfy(one -> assertThat(one.answers()).hasOnlyElementsOfType(Acceptance.Full.class));
    assertThat(schedule("sch_b").counts()).isEqualTo(new Schedule.Counts(1, 1, 0, 0));
  }

  @Test
  default void a_firing_passes_by_what_it_is_told_to() {
    LedgerWorld w = world();
    w.destination("dst_a");
    minutely("sch_a", ONCE, "dst_a");
    int shard = Shard.of("sch_a", w.ledger.shards());
    w.clock.advance(MINUTE);
    Schedules.Turn without = new Schedules.Turn(shard, 10, Set.of("sch_a"));
    assertThat(w.schedules.due(without)).isEmpty();
    assertThat(w.schedules.fire(without, w::eventId, Room.ENDLESS)).isEmpty();
    Schedules.Turn one = new Schedules.Turn(shard, 1, Set.of("sch_b"));
    assertThat(w.schedules.due(one)).containsExactly("sch_a");
    assertThat(w.schedules.fire(one, w::eventId, Room.ENDLESS)).hasSize(1);
    assertThat(w.schedules.due(one)).isEmpty();
  }

  @Test
  default void a_crash_in_the_middle_leaves_nothing_and_the_next_look_sends_it() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    minutely("sch_a", ONCE, "dst_a");
    Instant at = w.clock.advance(MINUTE);
    Room crash =
        (_, _) -> {
          throw new IllegalStateException("crashed");
        };
    Supplier<UUID> noIds =
        () -> {
          throw new IllegalStateException("crashed");
        };
    for (int shard = 0; shard < w.ledger.shards(); shard++) {
      int of = shard;
      if (w.schedules.look().next().containsKey(of)) {
        assertThatThrownBy(() -> w.schedules.fire(of, w::eventId, crash)).hasMessage("crashed");
        assertThatThrownBy(() -> w.schedules.fire(of, noIds, Room.ENDLESS)).hasMessage("crashed");
      }
    }
    assertThat(schedule("sch_a").nextAt()).isEqualTo(at);
    assertThat(schedule("sch_a").counts()).isEqualTo(Schedule.Counts.NONE);
    assertThat(w.schedules.firings("sch_a", null, 10)).isEmpty();
    assertThat(w.claim(destination).leased()).isEmpty();
    assertThat(fire()).containsExactly(at);
    assertThat(keysSent(destination)).containsExactly("schedule/sch_a/" + at);
  }

  @Test
  default void nodes_that_race_send_each_instant_once() throws Exception {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    int count = 20;
    for (int i = 0; i < count; i++) {
      minutely("sch_" + i, EACH, "dst_a");
    }
    Set<String> wanted = new HashSet<>();
    for (int minute = 1; minute <= 3; minute++) {
      Instant at = w.clock.advance(MINUTE);
      for (int i = 0; i < count; i++) {
        wanted.add("schedule/sch_" + i + "/" + at);
      }
      List<Callable<Integer>> nodes = new ArrayList<>();
      for (int node = 0; node < 4; node++) {
        nodes.add(() -> fire().size());
      }
      int came = AtOnce.all(nodes).stream().mapToInt(Integer::intValue).sum();
      came += fire().size(); // what was passed by while its lock was let go
      assertThat(came).isEqualTo(count);
    }
    List<String> sent = keysSent(destination);
    assertThat(sent).hasSize(3 * count).doesNotHaveDuplicates();
    assertThat(new HashSet<>(sent)).isEqualTo(wanted);
  }

  @Test
  default void another_node_passes_by_what_one_is_at() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    minutely("sch_a", ONCE, "dst_a");
    Instant at = w.clock.advance(MINUTE);
    List<Instant> others = new ArrayList<>();
    Supplier<UUID> slow =
        () -> {
          others.addAll(AtOnce.aside(this::fire));
          return w.eventId();
        };
    int looked = 0;
    for (int shard = 0; shard < w.ledger.shards(); shard++) {
      looked += w.schedules.fire(shard, slow, Room.ENDLESS).size();
    }
    assertThat(looked).isEqualTo(1);
    assertThat(others).isEmpty();
    assertThat(keysSent(destination)).containsExactly("schedule/sch_a/" + at);
  }

  @Test
  default void a_clock_that_is_set_back_sends_nothing_twice() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    minutely("sch_a", EACH, "dst_a");
    for (int minute = 0; minute < 5; minute++) {
      w.clock.advance(MINUTE);
      assertThat(fire()).hasSize(1);
    }
    w.clock.advance(Duration.ofMinutes(-4));
    assertThat(fire()).isEmpty();
    // Nor after a pause, nor when it is made anew under the same id.
    w.schedules.command("sch_a", Command.PAUSE, BY);
    w.schedules.command("sch_a", Command.RESUME, BY);
    w.clock.advance(Duration.ofMinutes(2));
    assertThat(fire()).isEmpty();
    w.schedules.delete("sch_a", BY);
    minutely("sch_a", EACH, "dst_a");
    w.clock.advance(Duration.ofMinutes(3));
    fire();
    assertThat(keysSent(destination)).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  default void a_clock_that_jumps_ahead_owes_what_the_window_says() {
    LedgerWorld w = world();
    minutely("sch_a", EACH);
    Instant now = w.clock.advance(Duration.ofDays(3));
    assertThat(fire()).hasSize(11).endsWith(now);
    long all = Duration.ofDays(3).toMinutes();
    assertThat(schedule("sch_a").counts()).isEqualTo(new Schedule.Counts(11, 0, all - 11, 0));
  }

  @Test
  default void many_that_are_due_come_in_small_steps_the_longest_due_first() {
    LedgerWorld w = world();
    int count = FiringPlan.MOST_SCHEDULES + 30;
    for (int i = 0; i < count; i++) {
      minutely("sch_" + i, ONCE);
    }
    w.clock.advance(MINUTE);
    Map<Integer, Instant> due = w.schedules.look().next();
    assertThat(due).hasSizeBetween(1, w.ledger.shards());
    for (int shard : due.keySet()) {
      assertThat(w.schedules.fire(shard, w::eventId, Room.ENDLESS))
          .hasSizeLessThanOrEqualTo(FiringPlan.MOST_SCHEDULES);
    }
    fire();
    assertThat(w.schedules.list(Set.of(TENANT), null, 1_000))
        .hasSize(count)
        .allMatch(one -> one.counts().fired() == 1);
  }
}
