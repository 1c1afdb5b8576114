@NullMarked
package io.penstock.server.cli;

import org.jspecify.annotations.NullMarked;
