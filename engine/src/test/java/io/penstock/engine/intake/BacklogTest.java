package io.penstock.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.intake.Backlog.Waiting;
import io.penstock.engine.ledger.Room;
import io.penstock.engine.limits.BacklogBound;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.Limits;
import io.penstock.engine.limits.TenantLimits;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacklogTest {
  /** 10 a second, at most 100 waiting; tenants at most 150. */
  private final Backlog backlog = new Backlog(new TestingLimits(100L, 150L, 10));

  private record TestingLimits(@Nullable Long most, @Nullable Long mostOfTenant, double rate)
      implements Limits {
    @Override
    public DestinationLimits of(String destinationId) {
      return DestinationLimits.DEFAULT
          .with(new BudgetSettings(rate, 10, 10, Duration.ofSeconds(1)))
          .with(new BacklogBound(most));
    }

    @Override
    public TenantLimits ofTenant(String tenantId) {
      return new TenantLimits(new BacklogBound(mostOfTenant), null, Map.of());
    }
  }

  @Test
  void there_is_room_before_anything_was_counted() {
    assertThat(backlog.of("acme", "d")).isEqualTo(new Room.Free());
  }

  @Test
  void there_is_room_below_the_bound_and_none_at_it() {
    backlog.counted(Map.of("d", new Waiting("acme", 99)));
    assertThat(backlog.of("acme", "d")).isEqualTo(new Room.Free());
    backlog.counted(Map.of("d", new Waiting("acme", 100)));
    assertThat(backlog.of("acme", "d")).isInstanceOf(Room.DestinationFull.class);
    assertThat(backlog.of("acme", "other")).isEqualTo(new Room.Free());
  }

  @Test
  void a_tenant_is_full_by_all_its_destinations_together() {
    backlog.counted(Map.of("d", new Waiting("acme", 80), "e", new Waiting("acme", 70)));
    assertThat(backlog.of("acme", "new")).isInstanceOf(Room.TenantFull.class);
    assertThat(backlog.of("other", "new")).isEqualTo(new Room.Free());
  }

  @Test
  void a_producer_is_told_when_enough_will_have_been_sent() {
    backlog.counted(Map.of("d", new Waiting("acme", 149)));
    assertThat(backlog.of("acme", "d"))
        .isEqualTo(
            new Room.DestinationFull(
                new Room.Bound("destination d", 149, 100, Duration.ofSeconds(5))));
  }

  @Test
  void a_closed_destination_asks_for_the_longest_wait() {
    Backlog closed = new Backlog(new TestingLimits(1L, 150L, 0));
    closed.counted(Map.of("d", new Waiting("acme", 1)));
    assertThat(closed.of("acme", "d"))
        .isEqualTo(
            new Room.DestinationFull(new Room.Bound("destination d", 1, 1, Backlog.LATEST_RETRY)));
  }

  @Test
  void without_a_bound_there_is_always_room() {
    Backlog unbounded = new Backlog(new TestingLimits(null, null, 10));
    unbounded.counted(Map.of("d", new Waiting("acme", Long.MAX_VALUE / 2)));
    assertThat(unbounded.of("acme", "d")).isEqualTo(new Room.Free());
  }
}
