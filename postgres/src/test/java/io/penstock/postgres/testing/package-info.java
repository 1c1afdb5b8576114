/**
 * For tests on a real Postgres: {@link io.penstock.postgres.testing.PostgresTest} gives a test
 * class a migrated database of its own.
 */
@NullMarked
package io.penstock.postgres.testing;

import org.jspecify.annotations.NullMarked;
