package io.penstock.postgres.read;

import io.penstock.engine.destination.Gate;
import java.time.Instant;

/**
 * Who closed a gate, when and why.
 *
 * @param scope whose gate: {@code everything}, {@code tenant} or {@code destination}
 * @param subject the id; {@code everything} for that gate
 * @param actor for instance {@code key:ps_3fa9…} or {@code penstock}
 */
public record CauseView(
    String scope, String subject, Gate.Closed closed, Instant at, String actor, String reason) {}
