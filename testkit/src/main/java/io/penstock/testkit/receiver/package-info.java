/** A receiver on a real loopback socket that answers by script and keeps what it got. */
@NullMarked
package io.penstock.testkit.receiver;

import org.jspecify.annotations.NullMarked;
