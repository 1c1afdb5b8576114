@NullMarked
package io.penstock.server.openapi;

import org.jspecify.annotations.NullMarked;
