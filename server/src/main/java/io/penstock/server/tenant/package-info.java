@NullMarked
package io.penstock.server.tenant;

import org.jspecify.annotations.NullMarked;
