/** How good forecasts are, against the engine on simulated time. */
@NullMarked
package io.penstock.testkit.forecast;

import org.jspecify.annotations.NullMarked;
