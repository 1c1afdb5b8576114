/** What tests of every module share: a clock they move and chance they can repeat. */
@NullMarked
package io.penstock.budget.testing;

import org.jspecify.annotations.NullMarked;
