/** Permits: a budget for workers that are not ours and call the destination themselves. */
@NullMarked
package io.penstock.budget.permit;

import org.jspecify.annotations.NullMarked;
