/** API keys: who may call, as what, for which tenants. */
@NullMarked
package io.penstock.postgres.key;

import org.jspecify.annotations.NullMarked;
