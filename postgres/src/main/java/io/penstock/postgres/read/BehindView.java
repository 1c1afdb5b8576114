package io.penstock.postgres.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What waits behind a gate.
 *
 * @param waiting deliveries that wait, at most 10,000
 * @param exact whether that is all; false = at least so many, counting stopped there
 * @param oldest when the oldest of those began to wait; null when none was found
 */
public record BehindView(long waiting, boolean exact, @Nullable Instant oldest) {}
