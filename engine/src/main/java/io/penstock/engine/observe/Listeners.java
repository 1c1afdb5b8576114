package io.penstock.engine.observe;

import io.penstock.engine.delivery.Leased;
import io.penstock.engine.history.Sighting;
import io.penstock.engine.ledger.Claim;
import io.penstock.engine.ledger.Settled;
import io.penstock.engine.ledger.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Tells several listeners, in order. */
public final class Listeners implements NodeListener {
  private final List<NodeListener> listeners;

  public Listeners(NodeListener... listeners) {
    this.listeners = List.of(listeners);
  }

  private void tell(Consumer<NodeListener> news) {
    listeners.forEach(news);
  }

  @Override
  public void claimed(int asked, Claim claim, Duration took) {
    tell(one -> one.claimed(asked, claim, took));
  }

  @Override
  public void sent(Leased delivery) {
    tell(one -> one.sent(delivery));
  }

  @Override
  public void settled(Settled settled, Duration took) {
    tell(one -> one.settled(settled, took));
  }

  @Override
  public void seen(List<Sighting> sightings) {
    tell(one -> one.seen(sightings));
  }

  @Override
  public void permitsTaken(String destinationId, int count) {
    tell(one -> one.permitsTaken(destinationId, count));
  }

  @Override
  public void permitEnded(String destinationId, String outcome) {
    tell(one -> one.permitEnded(destinationId, outcome));
  }

  @Override
  public void handedBack(Settlement settlement) {
    tell(one -> one.handedBack(settlement));
  }

  @Override
  public void leasesLost(int count) {
    tell(one -> one.leasesLost(count));
  }

  @Override
  public void jobsLeased(int jobs, int tubes, Duration took) {
    tell(one -> one.jobsLeased(jobs, tubes, took));
  }

  @Override
  public void jobsEnded(int booked, int lost, Duration took) {
    tell(one -> one.jobsEnded(booked, lost, took));
  }

  @Override
  public void jobsRenewed(int renewed, int lost) {
    tell(one -> one.jobsRenewed(renewed, lost));
  }

  @Override
  public void walked(int destinations, Duration took) {
    tell(one -> one.walked(destinations, took));
  }

  @Override
  public void ledgerFailed(String loop, RuntimeException failure) {
    tell(one -> one.ledgerFailed(loop, failure));
  }
}
