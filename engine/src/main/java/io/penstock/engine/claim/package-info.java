@NullMarked
package io.penstock.engine.claim;

import org.jspecify.annotations.NullMarked;
