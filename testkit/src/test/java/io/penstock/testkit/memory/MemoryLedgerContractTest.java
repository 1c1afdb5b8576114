package io.penstock.testkit.memory;

import io.penstock.budget.testing.TestClock;
import io.penstock.testkit.contract.LedgerContract;
import io.penstock.testkit.contract.LedgerUnderTest;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;

/** The contract of the ledger, kept by the one in memory, with every other pick seeing the past. */
class MemoryLedgerContractTest {

  @Nested
  class WithOneShard extends LedgerContract {
    @Override
    protected LedgerUnderTest emptyLedger() {
      return ledger(1);
    }
  }

  @Nested
  class WithFourShards extends LedgerContract {
    @Override
    protected LedgerUnderTest emptyLedger() {
      return ledger(4);
    }
  }

  private static LedgerUnderTest ledger(int shards) {
    TestClock clock = new TestClock();
    AtomicInteger claims = new AtomicInteger();
    Interleave interleave = new ThreadInterleave(() -> claims.getAndIncrement() % 2 == 1);
    MemoryLedger ledger = new MemoryLedger(shards, clock, interleave, commit -> {}, Set.of());
    return new LedgerUnderTest(
        ledger, ledger.redrives(), ledger.schedules(), ledger.inspect(), clock);
  }
}
