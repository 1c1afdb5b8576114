/** Which processes are alive, as they say themselves. */
@NullMarked
package io.penstock.postgres.node;

import org.jspecify.annotations.NullMarked;
