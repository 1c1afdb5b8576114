package io.penstock.gameday.crash;

import io.penstock.gameday.load.PostLog;
import io.penstock.gameday.receiver.ReceiptLog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Compares what the producer was promised with what the receiver got. Knows nothing of the server
 * but what these two wrote down, and which events were under way at each strike.
 */
final class Auditor {
  private Auditor() {}

  /**
   * What was found.
   *
   * @param lost accepted and never received
   * @param repeated received more than once
   * @param beyond repeated, though neither under way at a strike nor answered too late
   * @param unexplained repeated, and the ledger itself knows of no reason
   */
  record Finding(
      int accepted,
      int receipts,
      Set<String> lost,
      Set<String> repeated,
      Set<String> beyond,
      Set<String> unexplained) {}

  /**
   * Each event has one destination here, so that its id names its delivery.
   *
   * @param underWay events leased and not settled at some strike
   * @param timedOut events with an attempt that was not answered in time, which may have arrived
   * @param leaseLost events with a lease that ran out, as the ledger says: at a strike, or because
   *     the machine stood still for longer than a lease
   */
  static Finding audit(
      List<PostLog.Posted> posted,
      List<ReceiptLog.Receipt> receipts,
      Set<String> underWay,
      Set<String> timedOut,
      Set<String> leaseLost) {
    Map<String, Integer> times = new HashMap<>();
    receipts.forEach(receipt -> times.merge(receipt.webhookId(), 1, Integer::sum));
    Set<String> lost =
        posted.stream()
            .map(PostLog.Posted::eventId)
            .filter(id -> !times.containsKey(id))
            .collect(Collectors.toSet());
    Set<String> repeated =
        times.entrySet().stream()
            .filter(entry -> entry.getValue() > 1)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    Set<String> beyond = without(without(repeated, underWay), timedOut);
    return new Finding(
        posted.size(), receipts.size(), lost, repeated, beyond, without(beyond, leaseLost));
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest;
  }
}
