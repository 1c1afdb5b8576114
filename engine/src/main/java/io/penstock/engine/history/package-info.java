/** How budgets moved: what an operator reads after an incident. */
@NullMarked
package io.penstock.engine.history;

import org.jspecify.annotations.NullMarked;
