/** Who did what, why and when. */
@NullMarked
package io.penstock.postgres.audit;

import org.jspecify.annotations.NullMarked;
