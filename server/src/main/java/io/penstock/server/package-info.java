@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;
