/** A budget in memory, for programs that only want the smallest thing that says no. */
@NullMarked
package io.penstock.budget.memory;

import org.jspecify.annotations.NullMarked;
