update penstock.outbox o
set not_before = cast(:now as timestamptz) + w.wait_us * interval '1 microsecond',
  deferrals = o.deferrals + 1
from unnest(:numbers, :waits) as w(outbox_no, wait_us)
where o.outbox_no = w.outbox_no and o.outbox_no = any(:numbers)
