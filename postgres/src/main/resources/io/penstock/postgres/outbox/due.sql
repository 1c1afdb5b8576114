-- One range of the index, from its start: what was put off for later is never looked at. A row
-- weighs what it takes to read it; everything but these three is small.
select outbox_no, octet_length(payload) + octet_length(headers)
  + octet_length(array_to_string(destination_ids, '')) as bytes
from penstock.outbox
where not_before <= :now
order by not_before, outbox_no
limit :most
