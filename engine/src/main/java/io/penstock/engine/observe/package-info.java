@NullMarked
package io.penstock.engine.observe;

import org.jspecify.annotations.NullMarked;
