/** What is thrown away, when, and in which small steps. */
@NullMarked
package io.penstock.postgres.retention;

import org.jspecify.annotations.NullMarked;
