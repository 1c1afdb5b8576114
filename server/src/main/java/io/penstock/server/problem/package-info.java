@NullMarked
package io.penstock.server.problem;

import org.jspecify.annotations.NullMarked;
