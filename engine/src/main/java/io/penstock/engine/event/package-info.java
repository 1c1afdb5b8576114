@NullMarked
package io.penstock.engine.event;

import org.jspecify.annotations.NullMarked;
