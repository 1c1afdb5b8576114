/** The contract suite of the ledger port: what every ledger must do, run by each of them. */
@NullMarked
package io.penstock.testkit.contract;

import org.jspecify.annotations.NullMarked;
