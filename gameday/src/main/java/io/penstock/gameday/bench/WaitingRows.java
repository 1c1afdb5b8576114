package io.penstock.gameday.bench;

/**
 * Statements that fill a ledger with deliveries that wait: destinations named {@code wait-1} and so
 * on, like {@code load-0}, which must be there.
 */
final class WaitingRows {
  static final String DESTINATIONS =
      """
      insert into penstock.destination (shard, destination_id, tenant_id, mode, url, headers, secrets,
        budget_id, config_no, created_at)
      select shard, 'wait-' || n, tenant_id, mode, url, headers, secrets, 'wait-' || n, 0, created_at
      from penstock.destination, generate_series(1, ?) n where destination_id = 'load-0'
      """;

  static final String BUDGETS =
      """
      insert into penstock.budget (shard, budget_id, state)
      select shard, 'wait-' || n, state
      from penstock.budget, generate_series(1, ?) n where budget_id = 'load-0'
      """;

  static final String EVENTS =
      """
      insert into penstock.event (shard, event_id, tenant_id, type, content_type, headers, size,
        body_hash, destination_ids, body)
      select 0, uuidv7(), 'load', 'load.posted', 'application/json', '', 1024,
        sha256('\\x7b7d'), array['wait-' || n % ? + 1], convert_to(rpad('{}', 1024), 'UTF8')
      from generate_series(1, ?) n
      """;

  static final String DELIVERIES =
      """
      insert into penstock.delivery (shard, destination_id, event_id, tenant_id, lane, urgency, state,
        attempt, not_before, age_from, lease_no, redrive_count, size)
      select 0, destination_ids[1], event_id, tenant_id, 0, 0, 'pending', 0, now(), now(), 0, 0, size
      from penstock.event
      """;

  private WaitingRows() {}
}
