package io.penstock.postgres.ledger;

import io.penstock.engine.delivery.Reason;
import io.penstock.engine.ledger.Acceptance;
import io.penstock.engine.ledger.NewEvent;
import io.penstock.engine.ledger.Room;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration that a batch of events meets: tenants, subscriptions, destinations. */
final class FanOut {
  /** The stored type of a subscription to all types. */
  static final String ALL_TYPES = "";

  private final Set<String> tenants = new HashSet<>();
  private final Map<Subscribed, List<Fan>> subscribed = new HashMap<>();
  private final Map<Named, Fan> named = new HashMap<>();

  private final Room room;

  FanOut(Room room) {
    this.room = room;
  }

  private record Subscribed(String tenantId, String type) {}

  private record Named(String tenantId, String destinationId) {}

  /** Where a single event goes, or a refusal. */
  sealed interface Targets {
    record Of(List<Fan> fans) implements Targets {}

    record Refused(Acceptance answer) implements Targets {}
  }

  /** What it becomes there: deliveries, or a refusal. */
  sealed interface Fanned {
    record To(List<Fan> fans) implements Fanned {}

    /** There is no room for any of them; a repeat of what came before is answered all the same. */
    record NoRoom(List<Fan> fans, Acceptance.Full answer) implements Fanned {}
  }

  void readTenants(ResultSet rows) throws SQLException {
    while (rows.next()) {
      tenants.add(rows.getString("tenant_id"));
    }
  }

  void readSubscriptions(ResultSet rows) throws SQLException {
    while (rows.next()) {
      subscribed
          .computeIfAbsent(
              new Subscribed(rows.getString("tenant_id"), rows.getString("type")),
              key -> new ArrayList<>())
          .add(fan(rows));
    }
  }

  void readDestinations(ResultSet rows) throws SQLException {
    while (rows.next()) {
      Fan fan = fan(rows);
      named.put(new Named(rows.getString("tenant_id"), fan.destinationId()), fan);
    }
  }

  private static Fan fan(ResultSet row) throws SQLException {
    Reason dead = row.getBoolean("disabled") ? Reason.DESTINATION_DISABLED : null;
    return new Fan(row.getString("destination_id"), row.getInt("shard"), dead);
  }

  Targets of(NewEvent event) {
    if (!tenants.contains(event.tenantId())) {
      return new Targets.Refused(new Acceptance.UnknownTenant(event.tenantId()));
    }
    Map<String, Fan> fans = new LinkedHashMap<>();
    for (String id : event.destinationIds()) {
      Fan fan = named.get(new Named(event.tenantId(), id));
      if (fan == null) {
        return new Targets.Refused(new Acceptance.UnknownDestination(id));
      }
      fans.put(id, fan);
    }
    if (event.destinationIds().isEmpty()) {
      add(fans, subscribed.get(new Subscribed(event.tenantId(), event.type())));
      add(fans, subscribed.get(new Subscribed(event.tenantId(), ALL_TYPES)));
    }
    return new Targets.Of(List.copyOf(fans.values()));
  }

  Fanned withRoom(String tenantId, List<Fan> fans) {
    List<Fan> born = new ArrayList<>(fans.size());
    Acceptance.Full full = null;
    int fullOnes = 0;
    for (Fan fan : fans) {
      switch (room.of(tenantId, fan.destinationId())) {
        case Room.Free _ -> born.add(fan);
        case Room.TenantFull(var bound) -> {
          return new Fanned.NoRoom(fans, bound.refused());
        }
        case Room.DestinationFull(var bound) -> {
          boolean isDisabled = fan.dead() != null;
          born.add(isDisabled ? fan : fan.bornDead(Reason.BACKLOG_FULL));
          fullOnes += isDisabled ? 0 : 1;
          full = full == null && !isDisabled ? bound.refused() : full;
        }
      }
    }
    return full != null && fullOnes == fans.size()
        ? new Fanned.NoRoom(fans, full)
        : new Fanned.To(born);
  }

  private static void add(Map<String, Fan> fans, @Nullable List<Fan> more) {
    if (more != null) {
      more.forEach(fan -> fans.putIfAbsent(fan.destinationId(), fan));
    }
  }
}
