/** Schedules: recurring orders to send an event, when they come, and what is made up. */
@NullMarked
package io.penstock.engine.recurring;

import org.jspecify.annotations.NullMarked;
