/** Counts the shelf by cause, and takes away what has lain there long enough. */
@NullMarked
package io.penstock.postgres.shelf;

import org.jspecify.annotations.NullMarked;
