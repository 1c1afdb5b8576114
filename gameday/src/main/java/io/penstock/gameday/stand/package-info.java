/**
 * A test stand: Penstock's server, a Postgres, a receiver and a load generator as the real
 * processes that they are, in a folder of their own, and what can be read off them.
 */
@NullMarked
package io.penstock.gameday.stand;

import org.jspecify.annotations.NullMarked;
