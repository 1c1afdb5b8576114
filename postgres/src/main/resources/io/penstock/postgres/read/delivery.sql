select d.*, penstock.shown_state(d.state, g.disabled or g.deleted, g.paused, g.held) as shown
from penstock.any_delivery d
join penstock.gate g on g.shard = d.shard and g.destination_id = d.destination_id
where d.shard = :shard and d.destination_id = :destination and d.event_id = :event
order by d.lease_no desc
limit 1
