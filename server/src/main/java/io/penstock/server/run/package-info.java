@NullMarked
package io.penstock.server.run;

import org.jspecify.annotations.NullMarked;
