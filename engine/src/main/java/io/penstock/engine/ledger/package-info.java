@NullMarked
package io.penstock.engine.ledger;

import org.jspecify.annotations.NullMarked;
