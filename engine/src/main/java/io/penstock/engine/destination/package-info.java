@NullMarked
package io.penstock.engine.destination;

import org.jspecify.annotations.NullMarked;
