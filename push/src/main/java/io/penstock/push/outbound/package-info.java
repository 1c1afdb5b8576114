@NullMarked
package io.penstock.push.outbound;

import org.jspecify.annotations.NullMarked;
