/** The schema and its versions. */
@NullMarked
package io.penstock.postgres.migration;

import org.jspecify.annotations.NullMarked;
