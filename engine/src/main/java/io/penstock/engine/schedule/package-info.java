@NullMarked
package io.penstock.engine.schedule;

import org.jspecify.annotations.NullMarked;
