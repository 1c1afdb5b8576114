/** The outbox: what applications enqueue in SQL, expanded, refused, shown. */
@NullMarked
package io.penstock.postgres.outbox;

import org.jspecify.annotations.NullMarked;
