@NullMarked
package io.penstock.push.lookup;

import org.jspecify.annotations.NullMarked;
