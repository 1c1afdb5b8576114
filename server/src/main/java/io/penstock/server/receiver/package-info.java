@NullMarked
package io.penstock.server.receiver;

import org.jspecify.annotations.NullMarked;
