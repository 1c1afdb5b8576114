package io.penstock.engine.ledger;

import java.util.List;

/**
 * What a node asks for.
 *
 * @param destinationIds the due ones, longest unserved first; the order decides when slots are
 *     scarce
 * @param node the claiming process, unique per start
 * @param mostDeliveries the node's free slots
 * @param mostBytes bound on the sum of the bodies returned inline
 */
public record ClaimRequest(
    int shard, List<String> destinationIds, String node, int mostDeliveries, long mostBytes) {}
