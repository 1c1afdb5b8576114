/** Calendar quotas: so many per day or month of the provider's zone. */
@NullMarked
package io.penstock.budget.quota;

import org.jspecify.annotations.NullMarked;
