@NullMarked
package io.penstock.gameday;

import org.jspecify.annotations.NullMarked;
