package io.penstock.testkit.contract;

/** What every part of the contract stands on: a fresh ledger with one tenant. */
public interface InWorld {
  LedgerWorld world();
}
