@NullMarked
package io.penstock.gameday.load;

import org.jspecify.annotations.NullMarked;
