@NullMarked
package io.penstock.push;

import org.jspecify.annotations.NullMarked;
