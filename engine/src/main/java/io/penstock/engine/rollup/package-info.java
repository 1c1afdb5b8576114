/** What happened per destination and minute, counted in memory. */
@NullMarked
package io.penstock.engine.rollup;

import org.jspecify.annotations.NullMarked;
