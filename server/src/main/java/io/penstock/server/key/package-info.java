@NullMarked
package io.penstock.server.key;

import org.jspecify.annotations.NullMarked;
