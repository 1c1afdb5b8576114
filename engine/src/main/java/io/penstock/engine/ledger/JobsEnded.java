package io.penstock.engine.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an ending of jobs did.
 *
 * @param jobs in the order of the request: what was booked; empty = the lease was lost, somebody
 *     else had ended it
 */
public record JobsEnded(Instant now, List<Optional<Settled.Applied>> jobs) {}
