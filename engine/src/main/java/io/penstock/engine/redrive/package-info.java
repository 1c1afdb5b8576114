/** Redrive: a stored, paced and judged release of dead letters. */
@NullMarked
package io.penstock.engine.redrive;

import org.jspecify.annotations.NullMarked;
