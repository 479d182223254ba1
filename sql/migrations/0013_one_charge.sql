-- One loader at a time for what it touches, one charge per sale, and nobody's wish to be asked again is forgotten.

-- The keys that open loads hold: a load inserts what it touches, in key order, before it looks for changes, and deletes
-- it before it commits. Whoever wants the same key meanwhile waits at the primary key until the first one has ended.
-- Nobody ever sees a row here. Grain: one row per key.
create unlogged table subledger.stage_keys (
    subscription_key bigint primary key,
    run_id bigint not null,
    chunk_no integer not null
);

-- What stood in the ledger when a change was found: its entries are numbered after that, so that a second loader that
-- saw the same finds its numbers taken.
alter table subledger.stage_changes
    add column last_seq integer not null default 0,
    add column charge_seq integer;

-- A charge is a transaction's first entry, and the key allows one first entry: a second charge cannot be written.
-- Entries of before are not looked at: history is never rewritten, and the check every_charge_has_one_entry names
-- every transaction that was charged twice.
alter table subledger.ledger_entries
    add constraint charges_are_first_entries check (kind <> 'charge' or seq = 1) not valid;

-- How often somebody asked for a subscription to be looked at: what is heard while its store is being asked is not in
-- the answer, so it stays due. Counted here, whoever makes it due.
alter table subledger.subscriptions add column wakes bigint not null default 0;

create function subledger.count_wakes() returns trigger language plpgsql as $$
begin
    new.wakes := old.wakes + 1;
    return new;
end
$$;
create trigger wakes_are_counted before update of next_check_at on subledger.subscriptions
for each row when (new.next_check_at = '-infinity') execute function subledger.count_wakes();

-- Whether a subscription was made due while its answer was on its way. One that was not asked about itself (NULL), whose
-- state was told beside another's, was where it was registered again and still waits for its own check.
create function subledger.is_woken(wakes bigint, wakes_read bigint, next_check_at timestamptz) returns boolean
language sql immutable parallel safe
return case when wakes_read is null then wakes > 0 and next_check_at = '-infinity' else wakes > wakes_read end;

-- NULL: it was not asked about itself, its state was told beside another's.
alter table subledger.stage_subscriptions add column wakes_read bigint;

comment on table subledger.stage_keys is 'The keys that open loads hold; empty between transactions';
comment on column subledger.subscriptions.wakes is 'How often it was made due at once since it was registered';
comment on function subledger.is_woken is 'Whether a subscription was made due at once since it was read';
comment on function subledger.count_wakes is 'Counts what makes a subscription due at once';
