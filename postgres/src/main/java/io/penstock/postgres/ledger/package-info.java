/**
 * The ledger on Postgres: one class per capability, each beside its SQL. Only {@link
 * io.penstock.postgres.ledger.PostgresLedger} is used from outside.
 */
@NullMarked
package io.penstock.postgres.ledger;

import org.jspecify.annotations.NullMarked;
