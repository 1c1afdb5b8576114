@NullMarked
package io.penstock.server.header;

import org.jspecify.annotations.NullMarked;
