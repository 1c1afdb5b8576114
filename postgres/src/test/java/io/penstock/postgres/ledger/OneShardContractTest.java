package io.penstock.postgres.ledger;

import io.penstock.postgres.testing.TestDatabase;

class OneShardContractTest extends PostgresLedgerContract {
  OneShardContractTest(TestDatabase database) {
    super(database, 1);
  }
}
