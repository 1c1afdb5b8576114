@NullMarked
package io.penstock.server.health;

import org.jspecify.annotations.NullMarked;
