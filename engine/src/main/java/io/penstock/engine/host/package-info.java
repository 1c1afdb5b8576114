@NullMarked
package io.penstock.engine.host;

import org.jspecify.annotations.NullMarked;
