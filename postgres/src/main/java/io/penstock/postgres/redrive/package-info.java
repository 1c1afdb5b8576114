/** Redrives on Postgres. */
@NullMarked
package io.penstock.postgres.redrive;

import org.jspecify.annotations.NullMarked;
