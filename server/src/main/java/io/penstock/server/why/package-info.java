@NullMarked
package io.penstock.server.why;

import org.jspecify.annotations.NullMarked;
