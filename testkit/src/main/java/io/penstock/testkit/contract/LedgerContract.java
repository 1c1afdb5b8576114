package io.penstock.testkit.contract;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The contract suite of {@link io.penstock.engine.ledger.Ledger}. An implementation extends it once
 * per number of shards (1 and 4) and gives each test an empty ledger. The rules that tests claim
 * and settle with are made by hand ({@link TestingClaimRules}, {@link TestingSettleRules}), so that
 * nothing here depends on the engine's decisions.
 */
@Timeout(120)
public abstract class LedgerContract
    implements AcceptContract,
        RoomContract,
        ClaimContract,
        GrantContract,
        SettleContract,
        LeaseContract,
        JobContract,
        FreshContract,
        WaitingContract,
        RedriveContract,
        RedriveTaskContract,
        ScheduleContract,
        WaveContract,
        GateContract,
        ConfigurationContract,
        PermitContract,
        ConcurrencyContract,
        BudgetContract {
  private LedgerWorld world;

  /** A ledger of so many shards with no rows; what an earlier test left is gone. */
  protected abstract LedgerUnderTest emptyLedger() throws Exception;

  @BeforeEach
  @SuppressWarnings("NullAway.Init") // JUnit calls it before every test
  final void makeWorld() throws Exception {
    world = new LedgerWorld(emptyLedger());
  }

  @Override
  public final LedgerWorld world() {
    return world;
  }
}
