/**
 * A receiver that costs as little as a receiver can: one thread, one selector, in a process of its
 * own, so that what is measured is the sender.
 */
@NullMarked
package io.penstock.gameday.receiver;

import org.jspecify.annotations.NullMarked;
