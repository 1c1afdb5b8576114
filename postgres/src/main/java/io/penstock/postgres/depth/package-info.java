/** How much waits, sampled in the background so that nothing is counted while somebody waits. */
@NullMarked
package io.penstock.postgres.depth;

import org.jspecify.annotations.NullMarked;
