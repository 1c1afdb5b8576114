/** The audit as people see it. */
@NullMarked
package io.penstock.server.audit;

import org.jspecify.annotations.NullMarked;
