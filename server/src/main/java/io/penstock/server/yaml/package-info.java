@NullMarked
package io.penstock.server.yaml;

import org.jspecify.annotations.NullMarked;
