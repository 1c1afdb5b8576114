package io.penstock.engine.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a renewal did.
 *
 * @param until in the order of the request: until when each lease lasts now; empty = it is lost,
 *     somebody else ended it
 */
public record Renewals(Instant now, List<Optional<Instant>> until) {}
