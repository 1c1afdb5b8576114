/** Rows of a ledger as tests look at them, whichever ledger it is. */
@NullMarked
package io.penstock.testkit.rows;

import org.jspecify.annotations.NullMarked;
