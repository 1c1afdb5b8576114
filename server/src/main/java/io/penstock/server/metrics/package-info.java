@NullMarked
package io.penstock.server.metrics;

import org.jspecify.annotations.NullMarked;
