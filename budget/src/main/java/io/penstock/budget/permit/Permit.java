package io.penstock.budget.permit;

import io.penstock.budget.Stamp;
import java.time.Instant;

/**
 * The right to send once. It holds a slot until its feedback, or until it expires.
 *
 * @param id unique within its book; opaque to whoever holds it
 * @param stamp under which generation it was taken, and as what
 * @param expiresAt after this a feedback changes nothing
 */
public record Permit(String id, Stamp stamp, Instant expiresAt) {}
