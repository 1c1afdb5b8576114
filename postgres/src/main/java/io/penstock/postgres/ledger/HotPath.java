package io.penstock.postgres.ledger;

import org.jdbi.v3.core.Handle;

/** The settings of a transaction on the ledger, for those that do not send them along. */
public final class HotPath {
  private HotPath() {}

  /** Sets time-outs and the rest, for this transaction only. */
  public static void enter(Handle handle) {
    handle.createQuery("select penstock.hot_path()").mapTo(String.class).findOne();
  }
}
