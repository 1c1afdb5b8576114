package io.penstock.postgres.ledger;

import io.penstock.postgres.Sql;

/**
 * The statements of claim and settle. There is one set of them; that they can be handed in at all
 * is for tests, which plant faults in a copy to see that the faults are found.
 */
record HotPathSql(String claimLock, String claimPick, String settleLock, String settle) {
  static final HotPathSql SHIPPED =
      new HotPathSql(
          Sql.of(HotPathSql.class, "claim_lock.sql"),
          Sql.of(HotPathSql.class, "claim_pick.sql"),
          Sql.of(HotPathSql.class, "settle_lock.sql"),
          Sql.of(HotPathSql.class, "settle.sql"));
}
