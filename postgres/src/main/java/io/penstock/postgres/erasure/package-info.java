/** Deletion of a tenant's data: counted first, confirmed, then done in small bites. */
@NullMarked
package io.penstock.postgres.erasure;

import org.jspecify.annotations.NullMarked;
