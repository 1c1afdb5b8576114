-- Where a claim may begin to look.
create table penstock.waiting_from (
  shard           smallint    not null,
  destination_id  text        collate "C" not null,
  since           timestamptz[] not null check (cardinality(since) = 6),
  primary key (shard, destination_id)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05);
comment on table penstock.waiting_from is
  'Below these times nothing waits for a destination: one for each range of delivery_waiting, at '
  '1 + 2 * lane + urgency. So a claim does not step over what has left meanwhile, which vacuum '
  'cannot take away while a snapshot is kept elsewhere. Claims raise them under the lock of the '
  'budget; whoever makes a row wait below one lowers it in the same transaction.';
