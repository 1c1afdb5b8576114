@NullMarked
package io.penstock.engine.intake;

import org.jspecify.annotations.NullMarked;
