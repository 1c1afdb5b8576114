@NullMarked
package io.penstock.engine.gate;

import org.jspecify.annotations.NullMarked;
