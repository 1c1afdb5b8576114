package io.penstock.engine.notice;

import java.util.List;

/**
 * What operators were told, against what is so. It is worked out from the ledger now and then, and
 * never while something is settled: no slow sink can stall a delivery. Blocks; throws {@link
 * io.penstock.engine.ledger.LedgerException} when the ledger cannot answer.
 */
public interface Notices {

  /** Whether this node tells notices for now; of several nodes one does. */
  boolean lead(String node);

  /** What is so and was not told, oldest first; nothing about the notices' own tenant. */
  List<Notice> untold();

  /** Remembers that they were told. */
  void told(List<Notice> notices);
}
