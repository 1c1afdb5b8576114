@NullMarked
package io.penstock.engine.clock;

import org.jspecify.annotations.NullMarked;
