@NullMarked
package io.penstock.server.tube;

import org.jspecify.annotations.NullMarked;
