/**
 * What people and screens see: lists by keyset, single rows, capped counts. Plain reads that take
 * no lock and never touch the hot path.
 */
@NullMarked
package io.penstock.postgres.read;

import org.jspecify.annotations.NullMarked;
