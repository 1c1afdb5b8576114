@NullMarked
package io.penstock.server.destination;

import org.jspecify.annotations.NullMarked;
