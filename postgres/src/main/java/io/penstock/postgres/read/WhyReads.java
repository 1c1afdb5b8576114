package io.penstock.postgres.read;

import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.Sql;
import io.penstock.postgres.read.WaitingView.Ahead;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads why things wait. Safe for use by many threads. */
public final class WhyReads {
  private static final String HEADS = Sql.of(WhyReads.class, "heads.sql");
  private static final String AHEAD = Sql.of(WhyReads.class, "ahead.sql");

  private final Pool pool;

  public WhyReads(Pool pool) {
    this.pool = pool;
  }

  /** Why a destination waits; empty when it does not exist. */
  public Optional<WaitingView> destination(String destinationId) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          return view(handle, destinationId, null, List.of());
        });
  }

  /** Why a delivery waits; empty when it does not exist. */
  public Optional<WaitingView> delivery(String destinationId, UUID eventId) {
    int shard = Shard.of(destinationId, pool.shards());
    return pool.transaction(
        Use.CALLER,
        handle -> {
          Reads.enter(handle);
          return DeliveryReads.find(handle, shard, destinationId, eventId)
              .flatMap(found -> view(handle, destinationId, found, ahead(handle, shard, found)));
        });
  }

  private Optional<WaitingView> view(
      Handle handle, String destinationId, @Nullable DeliveryView delivery, List<Ahead> ahead) {
    return ConfigurationReads.destination(handle, pool.shards(), destinationId)
        .map(destination ->
            new WaitingView(
                pool.now(handle),
                destination,
                ConfigurationReads.everything(handle),
                ConfigurationReads.tenants(
                        handle, Set.of(destination.destination().tenantId()), "", 1)
                    .getFirst()
                    .gate(),
                CauseRows.of(handle, destination.destination().tenantId(), destinationId),
                heads(handle, destination.destination().shard(), destinationId),
                delivery,
                ahead));
  }

  private static List<WaitingView.Head> heads(Handle handle, int shard, String destinationId) {
    return handle
        .createQuery(HEADS)
        .bind("shard", shard)
        .bind("destination", destinationId)
        .map((row, context) ->
            new WaitingView.Head(
                Lane.ofCode(row.getInt("lane")),
                Urgency.ofCode(row.getInt("urgency")),
                Bind.instant(row, "not_before"),
                Bind.instant(row, "age_from")))
        .list();
  }

  private List<Ahead> ahead(Handle handle, int shard, DeliveryView delivery) {
    return handle
        .createQuery(AHEAD)
        .bind("shard", shard)
        .bind("destination", delivery.key().destinationId())
        .bind("event", delivery.key().eventId())
        .bind("now", Bind.time(pool.now(handle)))
        .bind("most", WaitingView.MOST_AHEAD)
        .map((row, context) ->
            new Ahead(
                Lane.ofCode(row.getInt("lane")),
                Urgency.ofCode(row.getInt("urgency")),
                row.getInt("ahead")))
        .list();
  }
}
