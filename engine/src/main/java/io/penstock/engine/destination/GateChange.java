package io.penstock.engine.destination;

/**
 * What a gate change did.
 *
 * @param changed false when the gate stood so already
 * @param gateNo the scope's own number after the change
 */
public record GateChange(boolean changed, long gateNo) {}
