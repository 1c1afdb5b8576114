@NullMarked
package io.penstock.push.signing;

import org.jspecify.annotations.NullMarked;
