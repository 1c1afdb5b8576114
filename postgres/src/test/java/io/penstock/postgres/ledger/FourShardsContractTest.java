package io.penstock.postgres.ledger;

import io.penstock.postgres.testing.TestDatabase;

class FourShardsContractTest extends PostgresLedgerContract {
  FourShardsContractTest(TestDatabase database) {
    super(database, 4);
  }
}
