package io.penstock.engine.ledger;

/**
 * Who does something and why; written in the transaction that does it.
 *
 * @param actor for instance {@code key:ps_3fa9} or {@code penstock}
 * @param reason free text, may be empty
 */
public record Audit(String actor, String reason) {}
