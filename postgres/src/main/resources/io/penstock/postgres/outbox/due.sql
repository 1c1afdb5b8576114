-- One range of the index, from its start: what was put off for later is never looked at.
select outbox_no, octet_length(payload) as bytes
from penstock.outbox
where not_before <= :now
order by not_before, outbox_no
limit :most
