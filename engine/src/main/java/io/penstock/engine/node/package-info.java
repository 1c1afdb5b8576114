@NullMarked
package io.penstock.engine.node;

import org.jspecify.annotations.NullMarked;
