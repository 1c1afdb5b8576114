@NullMarked
package io.penstock.engine.tube;

import org.jspecify.annotations.NullMarked;
