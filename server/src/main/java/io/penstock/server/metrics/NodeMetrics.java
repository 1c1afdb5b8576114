package io.penstock.server.metrics;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.delivery.Move;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import io.penstock.engine.observe.NodeListener;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what the node does. Every label comes from a fixed list of words, so that the number of
 * series is bounded. Safe for use by many threads.
 */
public final class NodeMetrics implements NodeListener {
  private static final Logger log = LoggerFactory.getLogger(NodeMetrics.class);

  /** From a millisecond to the time-out of a statement. */
  private static final double[] SECONDS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5
  };

  private static final double NANOS_PER_SECOND = 1e9;

  private final Counter sent;
  private final Counter outcomes;
  private final Counter moves;
  private final Counter stale;
  private final Counter handedBack;
  private final Counter leasesLost;
  private final Counter permitsTaken;
  private final Counter permitsEnded;
  private final Counter asked;
  private final Counter skipped;
  private final Counter claimed;
  private final Counter jobsLeased;
  private final Counter jobsLost;
  private final Histogram jobClaims;
  private final Counter walks;
  private final Counter rests;
  private final Counter restSeconds;
  private final Counter ledgerFailures;
  private final Histogram claims;
  private final Histogram settles;
  private final Histogram attempts;

  public NodeMetrics(PrometheusRegistry registry) {
    sent = counter(registry, "penstock_sent", "Attempts handed to the transport.");
    outcomes = counter(registry, "penstock_outcomes", "Attempts booked, by outcome.", "outcome");
    moves =
        counter(
            registry,
            "penstock_moves",
            "Moves out of a lease, by what came of it.",
            "to",
            "reason");
    stale = counter(registry, "penstock_stale", "Outcomes that came after their lease had ended.");
    handedBack =
        counter(registry, "penstock_handed_back", "Deliveries claimed and handed back unsent.");
    leasesLost = counter(registry, "penstock_leases_lost", "Leases that ran out.");
    permitsTaken =
        counter(registry, "penstock_permits_taken", "Permits that outside workers took.");
    permitsEnded =
        counter(registry, "penstock_permits_ended", "Their feedback, by outcome.", "outcome");
    asked = counter(registry, "penstock_claim_asked", "Destinations that claims asked for.");
    skipped =
        counter(
            registry,
            "penstock_claim_skipped",
            "Destinations that claims skipped because another held their budget.");
    claimed = counter(registry, "penstock_claimed", "Deliveries leased.");
    jobsLeased = counter(registry, "penstock_jobs_leased", "Jobs that workers were leased.");
    jobsLost =
        counter(
            registry,
            "penstock_jobs_late",
            "Renewals and ends of jobs that came after their lease had ended.");
    jobClaims =
        histogram(registry, "penstock_job_claim_duration_seconds", "How long claims of jobs took.");
    walks = counter(registry, "penstock_walks", "Full rounds over what waits.");
    rests =
        counter(
            registry,
            "penstock_node_rests",
            "Rests of this node, because attempts to several unrelated hosts failed on our side.");
    restSeconds =
        counter(
            registry, "penstock_node_rest_seconds", "Seconds in which this node claimed nothing.");
    ledgerFailures =
        counter(registry, "penstock_ledger_failures", "Steps that the ledger failed.", "loop");
    claims = histogram(registry, "penstock_claim_duration_seconds", "How long claims took.");
    settles = histogram(registry, "penstock_settle_duration_seconds", "How long settles took.");
    attempts = histogram(registry, "penstock_attempt_duration_seconds", "How long attempts took.");
  }

  static Counter counter(PrometheusRegistry registry, String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  static Histogram histogram(
      PrometheusRegistry registry, String name, String help, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(SECONDS)
        .register(registry);
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / NANOS_PER_SECOND;
  }

  @Override
  public void claimed(int destinations, Claim claim, Duration took) {
    asked.inc(destinations);
    skipped.inc(claim.skipped().size());
    claimed.inc(claim.leased().size());
    claims.observe(seconds(took));
  }

  @Override
  public void sent(Leased delivery) {
    sent.inc();
  }

  @Override
  public void settled(Settled settled, Duration took) {
    settles.observe(seconds(took));
    stale.inc(settled.stale().size());
    for (Settled.Applied applied : settled.applied()) {
      Settlement.AttemptRow attempt = applied.settlement().attempt();
      if (attempt != null) {
        outcomes.labelValues(attempt.outcome()).inc();
        attempts.observe(attempt.durationMicros() / 1e6);
      }
      count(applied.move());
    }
  }

  private void count(Move move) {
    switch (move) {
      case Move.Deliver _ -> moves.labelValues("delivered", "").inc();
      case Move.Retry _ -> moves.labelValues("retrying", "").inc();
      case Move.KeepPlace _ -> moves.labelValues("kept", "").inc();
      case Move.Die die -> moves.labelValues("dead", die.reason().word()).inc();
    }
  }

  @Override
  public void permitsTaken(String destinationId, int count) {
    permitsTaken.inc(count);
  }

  @Override
  public void permitEnded(String destinationId, String outcome) {
    permitsEnded.labelValues(outcome).inc();
  }

  @Override
  public void handedBack(Settlement settlement) {
    handedBack.inc();
  }

  @Override
  public void leasesLost(int count) {
    leasesLost.inc(count);
  }

  @Override
  public void jobsLeased(int jobs, int tubes, Duration took) {
    jobsLeased.inc(jobs);
    jobClaims.observe(seconds(took));
  }

  @Override
  public void jobsEnded(int booked, int lost, Duration took) {
    jobsLost.inc(lost);
  }

  @Override
  public void jobsRenewed(int renewed, int lost) {
    jobsLost.inc(lost);
  }

  @Override
  public void walked(int destinations, Duration took) {
    walks.inc();
  }

  @Override
  public void rests(Duration howLong, String detail) {
    rests.inc();
    restSeconds.inc(seconds(howLong));
    log.warn(
        "this node claims nothing for {} ms: attempts to several unrelated hosts failed on our side,"
            + " the last with {}; look at its network, its name servers and its memory",
        howLong.toMillis(),
        detail);
  }

  @Override
  public void ledgerFailed(String loop, RuntimeException failure) {
    ledgerFailures.labelValues(loop).inc();
    log.warn("{} got no answer from the ledger; it goes on in a moment", loop, failure);
  }
}
