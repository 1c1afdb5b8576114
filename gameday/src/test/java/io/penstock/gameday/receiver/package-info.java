@NullMarked
package io.penstock.gameday.receiver;

import org.jspecify.annotations.NullMarked;
