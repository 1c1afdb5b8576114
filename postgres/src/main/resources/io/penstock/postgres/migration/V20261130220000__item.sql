-- What an event is about, when its producer says so: a page, an account, a feed. A column that may be
-- null costs the others nothing.
alter table penstock.event add column item text;
alter table penstock.event_kept add column item text;

create or replace view penstock.any_event as
  select * from penstock.event
  union all
  select * from penstock.event_kept;
