package io.penstock.engine.rollup;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be added to one destination's minute. Figures for people and estimates: what a node
 * had counted and not yet written when it was killed is lost, so no rule may depend on them.
 *
 * @param minute its beginning, by the ledger's clock
 * @param admitted deliveries born pending
 * @param sent attempts begun
 * @param outcomes attempts booked, by the word of their outcome class
 * @param waiting deliveries that waited at a sample; null = not sampled
 * @param oldest since when the oldest ready one might have gone; null = none, or not sampled
 * @param rate the last rate in force that an answer showed, per second; null = no answer
 */
public record Rollup(
    String destinationId,
    Instant minute,
    int admitted,
    int sent,
    Map<String, Integer> outcomes,
    @Nullable Long waiting,
    @Nullable Instant oldest,
    @Nullable Double rate) {

  public Rollup {
    outcomes = Map.copyOf(outcomes);
  }
}
