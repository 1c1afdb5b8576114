@NullMarked
package io.penstock.server.json;

import org.jspecify.annotations.NullMarked;
