package io.penstock.testkit.contract;

import io.penstock.budget.testing.TestClock;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.recurring.Schedules;
import io.penstock.engine.redrive.Redrives;
import io.penstock.testkit.rows.Inspection;

/**
 * A ledger without a row in it, for one test.
 *
 * @param clock the clock that the ledger reads
 */
public record LedgerUnderTest(
    Ledger ledger, Redrives redrives, Schedules schedules, Inspection inspect, TestClock clock) {}
