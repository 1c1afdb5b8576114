@NullMarked
package io.penstock.server.spelling;

import org.jspecify.annotations.NullMarked;
