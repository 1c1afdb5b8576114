package io.penstock.engine.ledger;

import io.penstock.engine.delivery.Leased;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a claim brought.
 *
 * @param now the ledger's time inside the locks
 * @param leased in the order in which they are to be sent
 * @param picked per granted destination how many rows the pick saw; more than were leased means
 *     that rows moved meanwhile, so the destination must be asked again
 * @param skipped destinations whose budget another claim or settle held
 * @param absent destinations that do not exist
 */
public record Claim(
    Instant now,
    List<Leased> leased,
    Map<String, Integer> picked,
    Set<String> skipped,
    Set<String> absent) {}
