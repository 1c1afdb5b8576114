/**
 * The ledger in memory, for tests and the simulator: the moves of the real one with its locks, its
 * snapshots and its transactions, and no read models.
 */
@NullMarked
package io.penstock.testkit.memory;

import org.jspecify.annotations.NullMarked;
