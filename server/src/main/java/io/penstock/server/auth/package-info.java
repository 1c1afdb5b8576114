@NullMarked
package io.penstock.server.auth;

import org.jspecify.annotations.NullMarked;
