/** Schedules, as producers and operators see them. */
@NullMarked
package io.penstock.server.recurring;

import org.jspecify.annotations.NullMarked;
