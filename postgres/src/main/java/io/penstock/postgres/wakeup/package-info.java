/** Hints between nodes over LISTEN and NOTIFY. */
@NullMarked
package io.penstock.postgres.wakeup;

import org.jspecify.annotations.NullMarked;
