package io.penstock.postgres.ledger;

import io.penstock.engine.destination.Destination;
import io.penstock.engine.destination.Shard;
import io.penstock.engine.ledger.Audit;
import io.penstock.engine.ledger.BudgetRule;
import io.penstock.postgres.Bind;
import io.penstock.postgres.DestinationRows;
import io.penstock.postgres.Headers;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.postgres.audit.AuditLog;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Tenants, destinations, subscriptions: what the hot path needs of them. */
final class Configuration {
  private final Pool pool;
  private final int shards;

  Configuration(Pool pool, int shards) {
    this.pool = pool;
    this.shards = shards;
  }

  List<Destination> destinations(Collection<String> destinationIds) {
    int[] in = destinationIds.stream().mapToInt(id -> Shard.of(id, shards)).distinct().toArray();
    return pool.read(
        Use.LOOP,
        handle ->
            handle
                .createQuery(
                    """
                    select destination_id, shard, tenant_id, mode, url, headers, secrets, budget_id,
                      config_no
                    from penstock.destination
                    where shard = any(:shards) and destination_id = any(:destinations)
                      and deleted_at is null
                    order by destination_id
                    """)
                .bind("shards", Bind.ints(in))
                .bind("destinations", Bind.texts(destinationIds))
                .map((row, context) -> DestinationRows.read(row))
                .list());
  }

  boolean createTenant(String tenantId, String name, Audit by) {
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          Instant now = pool.now(handle);
          int made =
              handle
                  .createUpdate(
                      """
                      insert into penstock.tenant (tenant_id, name, created_at)
                      values (:tenant, :name, :now)
                      on conflict do nothing
                      """)
                  .bind("tenant", tenantId)
                  .bind("name", name)
                  .bind("now", Bind.time(now))
                  .execute();
          if (made == 0) {
            return false;
          }
          AuditLog.write(handle, now, by, AuditLog.Line.of("tenant.create", tenantId, tenantId));
          return true;
        });
  }

  Optional<Destination> createDestination(Destination wanted, BudgetRule initial, Audit by) {
    Destination made =
        new Destination(
            wanted.id(),
            Shard.of(wanted.id(), shards),
            wanted.tenantId(),
            wanted.mode(),
            wanted.url(),
            wanted.headers(),
            wanted.secrets(),
            wanted.budgetId(),
            wanted.configNo());
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          mustHaveTenant(handle, made.tenantId());
          Instant now = pool.now(handle);
          if (!insert(handle, made, now)) {
            return Optional.empty();
          }
          insertBudget(handle, made, initial, now);
          AuditLog.write(
              handle, now, by, AuditLog.Line.of("destination.create", made.id(), made.tenantId()));
          return Optional.of(made);
        });
  }

  private static void mustHaveTenant(Handle handle, String tenantId) {
    boolean found =
        handle
            .createQuery(
                """
                select true from penstock.tenant
                where tenant_id = :tenant and erased_at is null
                for key share
                """)
            .bind("tenant", tenantId)
            .mapTo(Boolean.class)
            .findOne()
            .isPresent();
    if (!found) {
      throw new IllegalArgumentException("no tenant " + tenantId);
    }
  }

  private static boolean insert(Handle handle, Destination made, Instant now) {
    return handle
            .createUpdate(
                """
                insert into penstock.destination (shard, destination_id, tenant_id, mode, url,
                  headers, secrets, budget_id, config_no, created_at)
                values (:shard, :destination, :tenant, :mode, :url,
                  :headers, :secrets, :budget, :configNo, :now)
                on conflict do nothing
                """)
            .bind("shard", made.shard())
            .bind("destination", made.id())
            .bind("tenant", made.tenantId())
            .bind("mode", made.mode().name().toLowerCase(Locale.ROOT))
            .bind("url", made.url())
            .bind("headers", Headers.format(made.headers()))
            .bind("secrets", Bind.texts(made.secrets()))
            .bind("budget", made.budgetId())
            .bind("configNo", made.configNo())
            .bind("now", Bind.time(now))
            .execute()
        > 0;
  }

  /** A shared budget is there already and stays as it is. */
  private static void insertBudget(
      Handle handle, Destination made, BudgetRule initial, Instant now) {
    boolean isThere =
        handle
            .createQuery(
                "select true from penstock.budget where shard = :shard and budget_id = :budget")
            .bind("shard", made.shard())
            .bind("budget", made.budgetId())
            .mapTo(Boolean.class)
            .findOne()
            .isPresent();
    if (isThere) {
      return;
    }
    handle
        .createUpdate(
            """
            insert into penstock.budget (shard, budget_id, state)
            values (:shard, :budget, :state)
            on conflict do nothing
            """)
        .bind("shard", made.shard())
        .bind("budget", made.budgetId())
        .bind("state", initial.apply(made.budgetId(), null, now).encode())
        .execute();
  }

  boolean deleteDestination(String destinationId, Audit by) {
    int shard = Shard.of(destinationId, shards);
    return pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          Gates.lockChanges(handle);
          Instant now = pool.now(handle);
          int deleted =
              handle
                  .createUpdate(
                      """
                      update penstock.destination
                      set deleted_at = :now, gate_no = gate_no + 1
                      where shard = :shard and destination_id = :destination
                        and deleted_at is null
                      """)
                  .bind("now", Bind.time(now))
                  .bind("shard", shard)
                  .bind("destination", destinationId)
                  .execute();
          if (deleted == 0) {
            return false;
          }
          unsubscribe(handle, shard, destinationId);
          Gates.countChange(handle);
          AuditLog.writeOf(
              handle, now, by, "destination.delete", destinationId, shard, destinationId);
          return true;
        });
  }

  private static void unsubscribe(Handle handle, int shard, String destinationId) {
    handle
        .createUpdate(
            """
            delete from penstock.subscription
            where shard = :shard and destination_id = :destination
            """)
        .bind("shard", shard)
        .bind("destination", destinationId)
        .execute();
  }

  void subscribe(String destinationId, Collection<String> types, Audit by) {
    int shard = Shard.of(destinationId, shards);
    pool.transaction(
        Use.CALLER,
        handle -> {
          HotPath.enter(handle);
          String tenantId =
              handle
                  .createQuery(
                      """
                      select tenant_id from penstock.destination
                      where shard = :shard and destination_id = :destination
                        and deleted_at is null
                      for no key update
                      """)
                  .bind("shard", shard)
                  .bind("destination", destinationId)
                  .mapTo(String.class)
                  .findOne()
                  .orElseThrow(
                      () -> new IllegalArgumentException("no destination " + destinationId));
          unsubscribe(handle, shard, destinationId);
          handle
              .createUpdate(
                  """
                  insert into penstock.subscription (tenant_id, type, shard, destination_id)
                  select distinct :tenant, type, :shard, :destination from unnest(:types) as t(type)
                  """)
              .bind("tenant", tenantId)
              .bind("shard", shard)
              .bind("destination", destinationId)
              .bind("types", Bind.texts(types.isEmpty() ? List.of(FanOut.ALL_TYPES) : types))
              .execute();
          AuditLog.write(
              handle,
              pool.now(handle),
              by,
              AuditLog.Line.of("destination.subscribe", destinationId, tenantId));
          return destinationId;
        });
  }
}
