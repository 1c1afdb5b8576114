package io.penstock.engine.tube;

import io.penstock.engine.delivery.Leased;
import java.time.Duration;

/**
 * A job as its worker gets it.
 *
 * @param expected how long jobs of its tube are expected to take; zero = nobody knows
 */
public record LeasedJob(Leased lease, Duration expected) {}
