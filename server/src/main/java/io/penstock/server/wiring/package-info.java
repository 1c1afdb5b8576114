@NullMarked
package io.penstock.server.wiring;

import org.jspecify.annotations.NullMarked;
