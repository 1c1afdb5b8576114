package io.penstock.engine.tube;

/** A tube as a poll names it: a destination of mode {@code pull}, and its shard. */
public record Tube(String id, int shard) {}
