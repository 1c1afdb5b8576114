package io.penstock.server.destination;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.event.Header;
import io.penstock.engine.limits.Limits;
import io.penstock.postgres.depth.Depths;
import io.penstock.postgres.read.DestinationView;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A destination as the API shows it.
 *
 * @param secrets references to signing keys, never the keys
 * @param secret a key that was just generated; shown in the answer that made it and never again
 * @param state the one that is shown first; see {@link DestinationState}
 * @param waiting null until this node has counted for the first time
 */
record DestinationBody(
    String id,
    String tenantId,
    String mode,
    String url,
    Map<String, String> headers,
    List<String> secrets,
    @Nullable String secret,
    String state,
    GateBody gate,
    BudgetBody budget,
    @Nullable WaitingBody waiting,
    Instant createdAt) {

  /** The destination's own flags. */
  record GateBody(boolean disabled, boolean paused, boolean held) {}

  /**
   * What it may spend.
   *
   * @param ratePerSecond in force now
   * @param ceilingPerSecond as configured
   */
  record BudgetBody(
      String id,
      double ratePerSecond,
      double ceilingPerSecond,
      int burst,
      int slots,
      int inFlight,
      boolean parked) {}

  static DestinationBody of(
      DestinationView view, Limits limits, Depths depths, @Nullable String secret) {
    var destination = view.destination();
    BudgetSettings settings = limits.of(destination.id()).budget();
    return new DestinationBody(
        destination.id(),
        destination.tenantId(),
        destination.mode().name().toLowerCase(Locale.ROOT),
        destination.url(),
        headers(destination.headers()),
        destination.secrets(),
        secret,
        DestinationState.of(view.inForce(), view.budget(), settings).word(),
        new GateBody(view.gate().disabled(), view.gate().paused(), view.gate().held()),
        new BudgetBody(
            destination.budgetId(),
            view.budget().ratePerSecond(settings),
            settings.ratePerSecond(),
            settings.burst(),
            settings.slots(),
            view.budget().inFlight(),
            view.budget().parked()),
        WaitingBody.of(depths, destination.id()),
        view.createdAt());
  }

  private static Map<String, String> headers(List<Header> headers) {
    Map<String, String> out = new LinkedHashMap<>();
    headers.forEach(header -> out.put(header.name(), header.value()));
    return out;
  }
}
