@NullMarked
package io.penstock.server.page;

import org.jspecify.annotations.NullMarked;
