/**
 * A real Postgres that Penstock starts, watches and stops itself, for {@code dev}, {@code demo} and
 * {@code serve --embedded}. As durable as any other: fsync on, data kept across restarts.
 */
@NullMarked
package io.penstock.postgres.embedded;

import org.jspecify.annotations.NullMarked;
