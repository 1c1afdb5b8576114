/** The database's roles: who may do what to the ledger. */
@NullMarked
package io.penstock.postgres.role;

import org.jspecify.annotations.NullMarked;
