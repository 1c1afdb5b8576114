package io.penstock.testkit.memory;

import java.util.HashMap;
import java.util.Map;

/** Who holds which row. Exclusive; released all at once when the transaction ends. */
final class RowLocks {
  private final Map<Object, Transaction> holders = new HashMap<>();

  synchronized boolean tryLock(Object row, Transaction by) {
    Transaction holder = holders.putIfAbsent(row, by);
    return holder == null || holder == by;
  }

  synchronized void releaseAll(Transaction by) {
    holders.values().removeIf(holder -> holder == by);
  }
}
