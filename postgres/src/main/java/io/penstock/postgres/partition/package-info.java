/** The days into which events, attempts and finished deliveries are divided. */
@NullMarked
package io.penstock.postgres.partition;

import org.jspecify.annotations.NullMarked;
