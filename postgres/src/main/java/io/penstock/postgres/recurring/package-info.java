/** Schedules on Postgres. */
@NullMarked
package io.penstock.postgres.recurring;

import org.jspecify.annotations.NullMarked;
