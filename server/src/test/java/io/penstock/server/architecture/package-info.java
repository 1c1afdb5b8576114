@NullMarked
package io.penstock.server.architecture;

import org.jspecify.annotations.NullMarked;
