-- What is due, the longest due first. What another node is at is passed by; a row that it has just
-- let go is looked at again under the lock, and is not due any more.
select *
from penstock.schedule
where shard = :shard and next_at <= :now and schedule_id <> all(:without)
order by next_at
limit :most
for no key update skip locked
