/** Waves: a batch spread over a window, each item at a stable place of it. */
@NullMarked
package io.penstock.engine.wave;

import org.jspecify.annotations.NullMarked;
