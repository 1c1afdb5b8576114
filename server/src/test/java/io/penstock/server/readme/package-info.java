@NullMarked
package io.penstock.server.readme;

import org.jspecify.annotations.NullMarked;
