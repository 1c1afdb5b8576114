package io.penstock.server.why;

/** How much the node that answers has in flight, of how much it may. */
public record NodeLoad(String node, int inFlight, int slots) {}
