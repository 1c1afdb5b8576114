/**
 * Load in a process of its own: posts events on a fixed schedule and measures each from the moment
 * at which it was meant to go, so that a slow answer cannot hide behind the posts it delayed.
 */
@NullMarked
package io.penstock.gameday.load;

import org.jspecify.annotations.NullMarked;
