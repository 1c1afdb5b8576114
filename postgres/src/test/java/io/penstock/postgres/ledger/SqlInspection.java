package io.penstock.postgres.ledger;

import io.penstock.budget.BudgetState;
import io.penstock.engine.delivery.DeliveryKey;
import io.penstock.engine.delivery.DeliveryState;
import io.penstock.engine.delivery.Lane;
import io.penstock.engine.delivery.Reason;
import io.penstock.engine.delivery.Urgency;
import io.penstock.engine.destination.Shard;
import io.penstock.postgres.Bind;
import io.penstock.postgres.Pool;
import io.penstock.postgres.Pool.Use;
import io.penstock.testkit.rows.AttemptSeen;
import io.penstock.testkit.rows.AuditSeen;
import io.penstock.testkit.rows.DeadLetterSeen;
import io.penstock.testkit.rows.DeliveryRow;
import io.penstock.testkit.rows.Inspection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Query;

/** Looks at the rows of the ledger with SQL of its own. */
public record SqlInspection(Pool pool) implements Inspection {

  @Override
  public Optional<DeliveryRow> delivery(DeliveryKey key) {
    List<DeliveryRow> found =
        list(
            """
            select *, null as reason from penstock.delivery
            where shard = :shard and destination_id = :destination and event_id = :event
            """,
            key,
            (row, context) -> delivery(key, row));
    if (!found.isEmpty()) {
      return Optional.of(found.getFirst());
    }
    List<DeliveryRow> done =
        list(
            """
            select *, null::timestamptz as lease_until, null as leased_by from penstock.delivery_done
            where shard = :shard and destination_id = :destination and event_id = :event
            """,
            key,
            (row, context) -> delivery(key, row));
    if (done.size() > 1) {
      throw new AssertionError("more than one finished row of " + key);
    }
    return done.stream().findFirst();
  }

  private static DeliveryRow delivery(DeliveryKey key, ResultSet row) throws SQLException {
    String reason = row.getString("reason");
    return new DeliveryRow(
        key,
        row.getString("tenant_id"),
        row.getLong("position"),
        Lane.ofCode(row.getInt("lane")),
        Urgency.ofCode(row.getInt("urgency")),
        DeliveryState.ofWord(row.getString("state")),
        row.getInt("attempt"),
        Bind.instant(row, "not_before"),
        Bind.instant(row, "age_from"),
        row.getLong("lease_no"),
        Bind.instantOrNull(row, "lease_until"),
        row.getString("leased_by"),
        row.getInt("last_status"),
        reason == null ? null : Reason.ofWord(reason),
        row.getInt("redrive_count"),
        row.getInt("size"));
  }

  @Override
  public List<AttemptSeen> attempts(DeliveryKey key) {
    return list(
        """
        select * from penstock.attempt
        where shard = :shard and destination_id = :destination and event_id = :event
        order by lease_no
        """,
        key,
        (row, context) ->
            new AttemptSeen(
                key,
                row.getLong("lease_no"),
                Bind.instant(row, "started_at"),
                row.getLong("duration_us"),
                row.getString("outcome"),
                row.getString("detail"),
                row.getInt("status"),
                row.getBytes("response_head"),
                row.getString("resolved"),
                row.getString("node")));
  }

  private <T> List<T> list(String sql, DeliveryKey key, RowMapper<T> mapper) {
    return pool.read(
        Use.CALLER,
        handle -> {
          Query query =
              handle
                  .createQuery(sql)
                  .bind("shard", key.shard())
                  .bind("destination", key.destinationId())
                  .bind("event", key.eventId());
          return query.map(mapper).list();
        });
  }

  @Override
  public List<DeadLetterSeen> deadLetters(String destinationId) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select * from penstock.dead_letter
                    where destination_id = :destination
                    order by dead_letter_no
                    """)
                .bind("destination", destinationId)
                .map((row, context) ->
                    new DeadLetterSeen(
                        new DeliveryKey(
                            row.getInt("shard"),
                            destinationId,
                            row.getObject("event_id", UUID.class)),
                        row.getString("tenant_id"),
                        Reason.ofWord(row.getString("reason")),
                        row.getInt("last_status"),
                        row.getBytes("response_head"),
                        row.getInt("attempts"),
                        Bind.instant(row, "last_seen")))
                .list());
  }

  @Override
  public BudgetState budget(String budgetId) {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery(
                    """
                    select state from penstock.budget
                    where shard = :shard and budget_id = :budget
                    """)
                .bind("shard", Shard.of(budgetId, pool.shards()))
                .bind("budget", budgetId)
                .map((row, context) -> BudgetState.decode(row.getString("state")))
                .one());
  }

  @Override
  public List<AuditSeen> audit() {
    return pool.read(
        Use.CALLER,
        handle ->
            handle
                .createQuery("select * from penstock.audit order by audit_no")
                .map((row, context) ->
                    new AuditSeen(
                        Bind.instant(row, "at"),
                        row.getString("actor"),
                        row.getString("action"),
                        row.getString("subject"),
                        row.getString("reason")))
                .list());
  }
}
