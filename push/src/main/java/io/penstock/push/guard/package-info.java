@NullMarked
package io.penstock.push.guard;

import org.jspecify.annotations.NullMarked;
