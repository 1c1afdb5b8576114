/** Samples that tests of the engine share. */
@NullMarked
package io.penstock.engine.testing;

import org.jspecify.annotations.NullMarked;
