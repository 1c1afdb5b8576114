@NullMarked
package io.penstock.engine;

import org.jspecify.annotations.NullMarked;
