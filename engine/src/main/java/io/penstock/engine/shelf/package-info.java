/** The shelf: what its groups are, what may help, how long it keeps. Rules only. */
@NullMarked
package io.penstock.engine.shelf;

import org.jspecify.annotations.NullMarked;
