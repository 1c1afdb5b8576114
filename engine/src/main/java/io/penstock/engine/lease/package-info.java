@NullMarked
package io.penstock.engine.lease;

import org.jspecify.annotations.NullMarked;
