@NullMarked
package io.penstock.engine.delivery;

import org.jspecify.annotations.NullMarked;
