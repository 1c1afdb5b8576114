package io.penstock.testkit.contract;

import static io.penstock.testkit.contract.LedgerWorld.BY;
import static io.penstock.testkit.contract.LedgerWorld.TENANT;
import static io.penstock.testkit.contract.LedgerWorld.WIDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.event.Header;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The configuration that the hot path needs. */
public interface ConfigurationContract extends InWorld {

  @Test
  default void a_destination_comes_back_as_it_was_made_in_a_shard_of_the_ledgers_choice() {
    LedgerWorld w = world();
    Destination wanted =
        new Destination(
            "dst_full",
            9_999,
            TENANT,
            Destination.Mode.PULL,
            "https://example.com/hook?a=1",
            List.of(new Header("X-One", "1"), new Header("x-two", "zwei")),
            List.of("env:NEW", "file:/run/old"),
            "bud_shared",
            3);
    Destination made =
        w.ledger.createDestination(wanted, LedgerWorld.budget(WIDE), BY).orElseThrow();
    assertThat(made.shard()).isBetween(0, w.ledger.shards() - 1);
    assertThat(made)
        .usingRecursiveComparison()
        .ignoringFields("shard", "configNo")
        .isEqualTo(wanted);
    assertThat(w.ledger.destinations(List.of("dst_full", "dst_none"))).containsExactly(made);
    assertThat(w.ledger.createDestination(wanted, LedgerWorld.budget(WIDE), BY)).isEmpty();
  }

  @Test
  default void a_destination_needs_its_tenant() {
    LedgerWorld w = world();
    Destination orphan = LedgerWorld.describe("dst_a", "nobody", "dst_a");
    assertThatThrownBy(() -> w.ledger.createDestination(orphan, LedgerWorld.budget(WIDE), BY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nobody");
    assertThat(w.ledger.destinations(List.of("dst_a"))).isEmpty();
  }

  @Test
  default void a_tenant_is_made_once() {
    LedgerWorld w = world();
    assertThat(w.ledger.createTenant(TENANT, "Again", BY)).isFalse();
    assertThat(w.ledger.createTenant("other", "Other", BY)).isTrue();
  }

  @Test
  default void a_budget_is_stored_and_read_back_without_loss() {
    LedgerWorld w = world();
    BudgetSettings odd = new BudgetSettings(1.0 / 3, 7, 2, Duration.ofSeconds(15));
    Destination destination = w.destination("dst_a", TENANT, odd);
    BudgetState initial = BudgetState.initial(odd, "dst_a".hashCode(), w.now());
    assertThat(w.inspect.budget("dst_a")).isEqualTo(initial);
    w.deliver(destination);
    w.clock.advance(Duration.ofNanos(123_457_000));
    TestingClaimRules rules = TestingClaimRules.everything(odd);
    w.claim(rules, destination);
    assertThat(rules.asked().getFirst().state()).isEqualTo(initial);
    BudgetState debited = w.inspect.budget("dst_a");
    TestingClaimRules again = TestingClaimRules.everything(odd);
    w.claim(again, destination);
    assertThat(again.asked().getFirst().state()).isEqualTo(debited);
    assertThat(BudgetState.decode(debited.encode())).isEqualTo(debited);
  }

  @Test
  default void a_new_subscription_replaces_the_old_one() {
    LedgerWorld w = world();
    Destination destination = w.destination("dst_a");
    w.ledger.subscribe("dst_a", List.of(), BY);
    w.ledger.subscribe("dst_a", List.of("something.else"), BY);
    w.accept(w.event());
    assertThat(w.claim(destination).leased()).isEmpty();
  }

  @Test
  default void the_clock_is_read_in_microseconds() {
    LedgerWorld w = world();
    w.clock.advance(Duration.ofNanos(1_234_567));
    assertThat(w.ledger.now()).isEqualTo(w.now().minusNanos(567));
  }
}
