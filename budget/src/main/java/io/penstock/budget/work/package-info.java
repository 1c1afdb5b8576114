/** Worker-seconds: shares of a pool of workers, charged by time and not by number of jobs. */
@NullMarked
package io.penstock.budget.work;

import org.jspecify.annotations.NullMarked;
