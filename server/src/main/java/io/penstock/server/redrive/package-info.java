/** Redrives over the API. */
@NullMarked
package io.penstock.server.redrive;

import org.jspecify.annotations.NullMarked;
