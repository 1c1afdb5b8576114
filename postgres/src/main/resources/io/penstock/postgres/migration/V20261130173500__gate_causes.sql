-- Who closed each gate that is closed, when and why. The audit has it too, but is no place to look up
-- what holds now.

create table penstock.gate_cause (
  scope           text        collate "C" not null
    check (scope in ('everything', 'tenant', 'destination')),
  subject         text        collate "C" not null,
  flag            text        collate "C" not null check (flag in ('disabled', 'paused', 'held')),
  at              timestamptz not null,
  actor           text        not null,
  reason          text        not null,
  primary key (scope, subject, flag)
);
comment on table penstock.gate_cause is
  'Who closed each gate that is closed, when and why; the subject of the gate of everything is '
  '"everything". A row goes when its flag is cleared. Gates closed before this table have none.';
