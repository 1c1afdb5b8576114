package io.penstock.engine.ledger;

import io.penstock.engine.delivery.DeliveryKey;
import java.util.List;

/**
 * A run that left its item as it should be, so that what asks for the same within its {@link
 * Freshness} need not run.
 *
 * @param key the job
 * @param leaseNo which of its leases it was
 * @param item what the job was about
 * @param artifacts what it brought, by name; sorted, each once
 */
public record CompleteRun(DeliveryKey key, long leaseNo, String item, List<String> artifacts) {
  /**
   * Different sets of artifacts that are remembered of one item, each with its last run; what came
   * longest ago is forgotten first, and then costs a run too many at worst.
   */
  public static final int MOST_SETS = 8;

  public CompleteRun {
    artifacts = artifacts.stream().distinct().sorted().toList();
  }
}
