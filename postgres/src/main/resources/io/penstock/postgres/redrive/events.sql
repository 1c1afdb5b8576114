select event_id, dead_letter_no, lease_no, outcome, detail, at, ended_at
from penstock.redrive_event
where shard = :shard and redrive_id = :redrive and dead_letter_no > :after
  and (:outcome::text is null or outcome = :outcome)
order by dead_letter_no
limit :limit
