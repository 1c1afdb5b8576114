/**
 * Kills the server and the postmaster with signal 9 in the middle of traffic, again and again, and
 * proves from what producer and receiver have written down that nothing accepted was lost.
 */
@NullMarked
package io.penstock.gameday.crash;

import org.jspecify.annotations.NullMarked;
