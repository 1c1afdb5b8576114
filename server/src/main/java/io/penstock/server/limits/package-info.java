@NullMarked
package io.penstock.server.limits;

import org.jspecify.annotations.NullMarked;
