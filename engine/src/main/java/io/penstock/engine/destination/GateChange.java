package io.penstock.engine.destination;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a gate change did.
 *
 * @param changed false when the gate stood so already
 * @param gateNo the scope's own number after the change
 * @param waiting deliveries that wait behind it now, counted up to a bound of 10,000
 * @param oldest when the oldest of them began to wait; null when none waits
 */
public record GateChange(boolean changed, long gateNo, long waiting, @Nullable Instant oldest) {}
