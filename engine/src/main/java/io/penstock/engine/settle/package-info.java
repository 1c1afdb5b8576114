@NullMarked
package io.penstock.engine.settle;

import org.jspecify.annotations.NullMarked;
