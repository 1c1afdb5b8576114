/** Events that applications enqueue in transactions of their own, and how they come in. */
@NullMarked
package io.penstock.engine.outbox;

import org.jspecify.annotations.NullMarked;
