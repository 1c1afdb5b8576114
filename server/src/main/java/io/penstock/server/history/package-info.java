/** The history of a destination's budget, told in points and in words. */
@NullMarked
package io.penstock.server.history;

import org.jspecify.annotations.NullMarked;
