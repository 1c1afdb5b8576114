/** The histories of budgets: written by the nodes, thinned with age, read by people. */
@NullMarked
package io.penstock.postgres.history;

import org.jspecify.annotations.NullMarked;
