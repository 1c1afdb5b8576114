/** Permits for workers that are not ours, granted from the ledger's budgets. */
@NullMarked
package io.penstock.engine.permit;

import org.jspecify.annotations.NullMarked;
