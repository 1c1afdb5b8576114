/** What a decision costs; run {@link io.penstock.budget.bench.BudgetBenchmark} by hand. */
@NullMarked
package io.penstock.budget.bench;

import org.jspecify.annotations.NullMarked;
