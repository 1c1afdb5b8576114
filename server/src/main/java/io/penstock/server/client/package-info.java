@NullMarked
package io.penstock.server.client;

import org.jspecify.annotations.NullMarked;
