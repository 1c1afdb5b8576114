/** Workers of tubes as they were last heard of. */
@NullMarked
package io.penstock.postgres.worker;

import org.jspecify.annotations.NullMarked;
