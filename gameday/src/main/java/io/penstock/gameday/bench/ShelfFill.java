package io.penstock.gameday.bench;

import io.penstock.gameday.stand.Ledger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Fills a destination's shelf straight in the database, as if its deliveries had died: events,
 * ended deliveries and dead letters, with the reasons and statuses of a bad day.
 */
final class ShelfFill {
  /** Rows of one transaction. */
  private static final int AT_ONCE = 100_000;

  private static final String FILL =
      """
      with n as materialized (
        select n,
          (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
            || '7' || lpad(to_hex(n % 4096), 3, '0')
            || '8' || lpad(to_hex(?::bigint), 3, '0') || lpad(to_hex(n), 12, '0'))::uuid as event_id,
          (array['rejected', 'exhausted', 'expired', 'rejected'])[1 + n % 4] as reason,
          (array[400, 503, 0, 422])[1 + n % 4] as status,
          (array['rejected', 'transient', null, 'rejected'])[1 + n % 4] as outcome
        from generate_series(?::bigint, ?::bigint) n
      ),
      events as (
        insert into penstock.event (shard, event_id, tenant_id, type, content_type, headers, size,
          body_hash, destination_ids, body)
        select 0, event_id, 'load', 'order.paid', 'application/json', '', 2,
          sha256('{}'), array[?], '{}'
        from n
      ),
      done as (
        insert into penstock.delivery_done (shard, destination_id, event_id, day, tenant_id,
          position, lane, urgency, state, attempt, not_before, age_from, lease_no, last_status,
          reason, redrive_count, size, done_at)
        select 0, ?, event_id, (clock_timestamp() at time zone 'UTC')::date, 'load',
          nextval('penstock.position'), 0, 0, 'dead', 8, now(), now(), 8, status, reason, 0, 2,
          clock_timestamp()
        from n
      )
      insert into penstock.dead_letter (shard, destination_id, event_id, tenant_id, lease_no,
        outcome, reason, last_status, response_head, attempts, first_seen, last_seen, event_hash)
      select 0, ?, event_id, 'load', 8, outcome, reason, status,
        convert_to('no such order ' || n, 'UTF8'), 8, now(), clock_timestamp(), sha256('{}')
      from n
      order by n
      """;

  private ShelfFill() {}

  /**
   * Lets {@code count} messages of a destination lie on the shelf; {@code salt} tells fills apart.
   */
  static void fill(Ledger ledger, String destination, long count, int salt) throws SQLException {
    try (Connection connection = ledger.connect();
        PreparedStatement fill = connection.prepareStatement(FILL)) {
      for (long from = 1; from <= count; from += AT_ONCE) {
        fill.setLong(1, salt);
        fill.setLong(2, from);
        fill.setLong(3, Math.min(count, from + AT_ONCE - 1));
        fill.setString(4, destination);
        fill.setString(5, destination);
        fill.setString(6, destination);
        fill.execute();
      }
    }
    for (String table : new String[] {"event", "delivery_done", "dead_letter"}) {
      ledger.execute("vacuum analyze penstock." + table);
    }
  }
}
