/** What the server's tests have in common. */
@NullMarked
package io.penstock.server.testing;

import org.jspecify.annotations.NullMarked;
