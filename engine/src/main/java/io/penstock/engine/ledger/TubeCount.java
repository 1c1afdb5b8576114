package io.penstock.engine.ledger;

/**
 * What ended runs add to the counts of one tube.
 *
 * @param completed runs that ended well
 * @param failed runs that their worker called failed
 * @param lost leases that ran out
 * @param released jobs handed back
 * @param workedMicros worker-time that ended with these runs, in microseconds
 * @param yielded sum of what the completed ones said they yielded
 * @param emptyRuns completed runs without yield after the last one with some
 * @param anyYield whether one of them yielded something
 */
public record TubeCount(
    String destinationId,
    int completed,
    int failed,
    int lost,
    int released,
    long workedMicros,
    long yielded,
    int emptyRuns,
    boolean anyYield) {}
