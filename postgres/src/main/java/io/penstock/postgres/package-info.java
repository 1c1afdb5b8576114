@NullMarked
package io.penstock.postgres;

import org.jspecify.annotations.NullMarked;
