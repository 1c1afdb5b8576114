@NullMarked
package io.penstock.server.http;

import org.jspecify.annotations.NullMarked;
