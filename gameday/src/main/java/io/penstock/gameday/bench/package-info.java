/** Measurements of real processes on this machine. */
@NullMarked
package io.penstock.gameday.bench;

import org.jspecify.annotations.NullMarked;
