@NullMarked
package io.penstock.postgres.embedded;

import org.jspecify.annotations.NullMarked;
