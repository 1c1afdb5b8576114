@NullMarked
package io.penstock.server.api;

import org.jspecify.annotations.NullMarked;
