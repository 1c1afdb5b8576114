@NullMarked
package io.penstock.engine.send;

import org.jspecify.annotations.NullMarked;
