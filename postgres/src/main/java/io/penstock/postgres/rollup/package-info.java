/** The minute roll-ups: what happened per destination, added up by all nodes. */
@NullMarked
package io.penstock.postgres.rollup;

import org.jspecify.annotations.NullMarked;
