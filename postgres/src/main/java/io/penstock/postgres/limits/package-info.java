/** Versions of the limits, and what a plan needs to know of the past. */
@NullMarked
package io.penstock.postgres.limits;

import org.jspecify.annotations.NullMarked;
