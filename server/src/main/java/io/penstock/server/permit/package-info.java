/** Permits over HTTP, for workers that are not ours. */
@NullMarked
package io.penstock.server.permit;

import org.jspecify.annotations.NullMarked;
