@NullMarked
package io.penstock.testkit;

import org.jspecify.annotations.NullMarked;
