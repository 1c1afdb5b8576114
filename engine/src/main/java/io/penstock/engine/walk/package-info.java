@NullMarked
package io.penstock.engine.walk;

import org.jspecify.annotations.NullMarked;
