@NullMarked
package io.penstock.server.config;

import org.jspecify.annotations.NullMarked;
