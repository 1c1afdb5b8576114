/** The shelf as people see it: its list, its groups, one dead letter, its export. */
@NullMarked
package io.penstock.server.shelf;

import org.jspecify.annotations.NullMarked;
