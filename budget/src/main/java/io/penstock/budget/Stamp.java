package io.penstock.budget;

/**
 * What an attempt carries from its lease to its feedback: under which generation of the budget it
 * was debited, and as what.
 *
 * @param generation the budget's generation at the debit; only feedback with the current one cuts
 * @param probe whether it was the one leased probe of a parked budget
 * @param retry whether it went out on the retry lane
 * @param batch whether its urgency is batch (as against interactive), which quotas tell apart
 */
public record Stamp(long generation, boolean probe, boolean retry, boolean batch) {}
