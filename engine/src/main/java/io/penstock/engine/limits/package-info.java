@NullMarked
package io.penstock.engine.limits;

import org.jspecify.annotations.NullMarked;
