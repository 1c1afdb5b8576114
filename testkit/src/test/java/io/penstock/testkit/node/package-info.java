/** A whole node on the ledger in memory. */
@NullMarked
package io.penstock.testkit.node;

import org.jspecify.annotations.NullMarked;
