@NullMarked
package io.penstock.server.event;

import org.jspecify.annotations.NullMarked;
