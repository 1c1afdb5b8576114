/** The schedule of a node, as operators see it. */
@NullMarked
package io.penstock.server.schedule;

import org.jspecify.annotations.NullMarked;
