insert into penstock.schedule (shard, schedule_id, tenant_id, every_seconds, from_at, cron, zone,
  on_gap, on_repeat, catch_up_seconds, missed, type, content_type, headers, urgency,
  destination_ids, over_seconds, items, body, paused, next_at, fired, refused, too_old, merged,
  actor, reason, created_at)
values (:shard, :schedule, :tenant, :every, :from, :cron, :zone,
  :onGap, :onRepeat, :catchUp, :missed, :type, :contentType, :headers, :urgency,
  :destinations, :over, :items, :body, :paused, :nextAt, 0, 0, 0, 0,
  :actor, :reason, :now)
on conflict do nothing
