@NullMarked
package io.penstock.engine.transport;

import org.jspecify.annotations.NullMarked;
