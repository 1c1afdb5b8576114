/** The samples of the module's README, compiled and run. */
@NullMarked
package io.penstock.budget.readme;

import org.jspecify.annotations.NullMarked;
