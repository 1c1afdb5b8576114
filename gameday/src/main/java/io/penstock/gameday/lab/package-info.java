/** The lab: the pure rules of budgets against limiters and tubes on simulated time. */
@NullMarked
package io.penstock.gameday.lab;

import org.jspecify.annotations.NullMarked;
