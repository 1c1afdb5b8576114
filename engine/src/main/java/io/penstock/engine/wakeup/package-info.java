@NullMarked
package io.penstock.engine.wakeup;

import org.jspecify.annotations.NullMarked;
