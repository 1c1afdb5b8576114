@NullMarked
package io.penstock.push.secret;

import org.jspecify.annotations.NullMarked;
