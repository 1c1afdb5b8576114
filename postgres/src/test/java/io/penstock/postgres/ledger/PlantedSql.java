package io.penstock.postgres.ledger;

import io.penstock.postgres.Pool;

/**
 * Faults planted in a copy of the hot path's SQL, to see which tests find them. A replacement that
 * no longer fits the shipped statement fails at once, so that no fault is planted in vain.
 */
public enum PlantedSql {
  NONE {
    @Override
    HotPathSql sql() {
      return HotPathSql.SHIPPED;
    }
  },

  /** The claim's update finds its rows by place, and does not ask whether they still wait. */
  NO_RECHECK {
    @Override
    HotPathSql sql() {
      return picking(without(SHIPPED.claimPick(), RECHECK));
    }
  },

  /** No fault, but another way: the update finds its rows by key, so that no place guards them. */
  BY_KEY {
    @Override
    HotPathSql sql() {
      return picking(byKey(SHIPPED.claimPick()));
    }
  },

  /** By key, and without the re-check. */
  BY_KEY_NO_RECHECK {
    @Override
    HotPathSql sql() {
      return picking(without(byKey(SHIPPED.claimPick()), RECHECK));
    }
  },

  /** Claims do not lock the budgets: what only the re-check kept apart overlaps. */
  NO_BUDGET_LOCK {
    @Override
    HotPathSql sql() {
      return unlocked(SHIPPED);
    }
  },

  /** Claims overlap and lease what they picked, whatever became of it. */
  NO_BUDGET_LOCK_NO_RECHECK {
    @Override
    HotPathSql sql() {
      return unlocked(BY_KEY_NO_RECHECK.sql());
    }
  },

  /** The settle guards on "is leased" alone. */
  SETTLE_WITHOUT_LEASE_NO {
    @Override
    HotPathSql sql() {
      return new HotPathSql(
          SHIPPED.claimLock(),
          SHIPPED.claimPick(),
          SHIPPED.settleLock(),
          without(SHIPPED.settle(), " and lease_no = s.lease_no"));
    }
  };

  private static final HotPathSql SHIPPED = HotPathSql.SHIPPED;
  private static final String RECHECK = " and d.lease_until is null";
  private static final String BUDGET_LOCK = "for no key update skip locked";
  private static final String BY_PLACE =
      "where d.ctid = any(array(select tid from picked))\n    and";
  private static final String JOINED =
      """
      from penstock.delivery seen
        where seen.ctid = any(array(select tid from picked))
          and d.shard = seen.shard and d.destination_id = seen.destination_id
          and d.event_id = seen.event_id and\
      """;

  abstract HotPathSql sql();

  /** A ledger with this fault. */
  public PostgresLedger ledger(Pool pool) {
    return PostgresLedger.open(pool, PostgresLedger.KEY_WINDOW, sql());
  }

  private static HotPathSql picking(String pick) {
    return new HotPathSql(SHIPPED.claimLock(), pick, SHIPPED.settleLock(), SHIPPED.settle());
  }

  private static HotPathSql unlocked(HotPathSql sql) {
    return new HotPathSql(
        without(sql.claimLock(), BUDGET_LOCK), sql.claimPick(), sql.settleLock(), sql.settle());
  }

  private static String byKey(String pick) {
    return replaced(pick, BY_PLACE, JOINED);
  }

  private static String without(String sql, String part) {
    return replaced(sql, part, "");
  }

  private static String replaced(String sql, String part, String by) {
    if (!sql.contains(part)) {
      throw new IllegalStateException("the statement no longer holds \"" + part + "\":\n" + sql);
    }
    return sql.replace(part, by);
  }
}
