/** How every bench, simulation and game day ends: figures, bars, settings, an exit code. */
@NullMarked
package io.penstock.gameday.report;

import org.jspecify.annotations.NullMarked;
