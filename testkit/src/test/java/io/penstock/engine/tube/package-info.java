/** Tubes on the ledger in memory; beside the engine's own, since these see its inside. */
@NullMarked
package io.penstock.engine.tube;

import org.jspecify.annotations.NullMarked;
