@NullMarked
package io.penstock.server.demo;

import org.jspecify.annotations.NullMarked;
