package io.penstock.postgres.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.destination.Destination;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.ClaimRequest;
import io.penstock.engine.ledger.ClaimRules;
import io.penstock.engine.ledger.LedgerException;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that stops in the middle of a claim, as a SIGSTOP or a long pause makes it. */
@PostgresTest
@Timeout(60)
class StoppedClaimerTest {
  private final TestingLedger world;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private Future<Claim> stopped;
  private Leased before;
  private Destination destination;

  StoppedClaimerTest(TestDatabase database) {
    world = TestingLedger.empty(database.settings(), 1);
  }

  @BeforeEach
  void aClaimerStopsWithItsLocksHeld() throws InterruptedException {
    destination = world.destination("dst_a");
    world.deliver(destination);
    before = world.claim(destination, 1).getFirst();
    world.deliver(destination);
    stopped = threads.submit(() -> claim(new Stopping(inside, goOn)));
    assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void end() {
    goOn.countDown();
    threads.close();
  }

  private Claim claim(ClaimRules rules) {
    return world
        .ledger()
        .claim(new ClaimRequest(0, List.of(destination.id()), "node-2", 9, 1 << 20), rules);
  }

  /** Rules that do not come back until they are told to. */
  private record Stopping(CountDownLatch inside, CountDownLatch goOn, OpenRules rules)
      implements ClaimRules {
    Stopping(CountDownLatch inside, CountDownLatch goOn) {
      this(inside, goOn, new OpenRules(9, Duration.ofSeconds(20)));
    }

    @Override
    public List<Grant> decide(Instant now, List<Asking> asking) {
      inside.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return rules.decide(now, asking);
    }

    @Override
    public Map<String, BudgetState> debit(Instant now, List<Leased> leased) {
      return rules.debit(now, leased);
    }
  }

  @Test
  @DisplayName("case 32a: claims pass by a stopped node's locks, settles get them within seconds")
  void case32a_a_stopped_claimer_holds_up_nobody_for_more_than_seconds() throws Exception {
    assertThat(claim(new OpenRules(9, Duration.ofSeconds(20))).skipped())
        .containsExactly(destination.id());

    int refused = 0;
    boolean settled = false;
    while (!settled) {
      try {
        settled = world.settle(before, new Move.Deliver(1)).applied().size() == 1;
      } catch (LedgerException waitedForTheLock) {
        refused++;
      }
    }
    assertThat(refused).isBetween(0, 4);
    assertThat(stopped.isDone()).isFalse();
    assertThat(claim(new OpenRules(9, Duration.ofSeconds(20))).leased()).hasSize(1);

    goOn.countDown();
    assertThatThrownBy(stopped::get)
        .as("the stopped one finds its transaction ended, and has leased nothing")
        .hasCauseInstanceOf(LedgerException.class);
  }
}
