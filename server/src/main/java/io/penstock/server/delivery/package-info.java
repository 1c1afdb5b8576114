@NullMarked
package io.penstock.server.delivery;

import org.jspecify.annotations.NullMarked;
