-- The append-only history as a seal saw it: what was written by runs that were sealed by then.
-- What the checks and the reports' sums are compared with; reports themselves are made of the same rows (staging/).
--
-- subscriptions: only theirs, each key named once, found by the index; NULL: everything. Whoever asks for some of them asks
-- for whole lineages (report.whole_lineages), since periods are judged by their neighbours.

-- Grain: one row per (subscription_key, transaction_id, product_id), the newest image of it.
drop function if exists subledger.transactions_as_of(bigint);
create or replace function subledger.transactions_as_of(
    seal bigint, subscriptions bigint[] default null
) returns setof subledger.transaction_versions
language sql stable parallel safe
as $$
    (
        select distinct on (image.subscription_key, image.transaction_id, image.product_id) image.*
        from subledger.transaction_versions image
        join subledger.runs run on run.run_id = image.run_id
        where transactions_as_of.subscriptions is null and run.seal <= transactions_as_of.seal
        order by image.subscription_key desc, image.transaction_id desc, image.product_id desc, image.version desc
    )
    union all
    (
        select distinct on (image.subscription_key, image.transaction_id, image.product_id) image.*
        from unnest(transactions_as_of.subscriptions) wanted (key)
        cross join lateral (
            select held.* from subledger.transaction_versions held where held.subscription_key = wanted.key offset 0
        ) image
        join subledger.runs run on run.run_id = image.run_id
        where transactions_as_of.subscriptions is not null and run.seal <= transactions_as_of.seal
        order by image.subscription_key desc, image.transaction_id desc, image.product_id desc, image.version desc
    )
$$;

-- Grain: one row per money movement.
drop function if exists subledger.ledger_as_of(bigint);
create or replace function subledger.ledger_as_of(
    seal bigint, subscriptions bigint[] default null
) returns setof subledger.ledger_entries
language sql stable parallel safe
as $$
    select entry.*
    from subledger.ledger_entries entry
    join subledger.runs run on run.run_id = entry.run_id
    where ledger_as_of.subscriptions is null and run.seal <= ledger_as_of.seal
    union all
    select entry.*
    from unnest(ledger_as_of.subscriptions) wanted (key)
    cross join lateral (
        select held.* from subledger.ledger_entries held where held.subscription_key = wanted.key offset 0
    ) entry
    join subledger.runs run on run.run_id = entry.run_id
    where ledger_as_of.subscriptions is not null and run.seal <= ledger_as_of.seal
$$;

-- Grain: one row per change of a subscription.
drop function if exists subledger.state_changes_as_of(bigint, bigint[]);
create or replace function subledger.state_changes_as_of(seal bigint) returns setof subledger.state_changes
language sql stable
as $$
    select change.*
    from subledger.state_changes change
    join subledger.runs run on run.run_id = change.run_id
    where run.seal <= state_changes_as_of.seal
$$;

comment on function subledger.transactions_as_of is 'The newest image of every transaction that runs sealed by then wrote';
comment on function subledger.ledger_as_of is 'The money movements that runs sealed by then wrote';
comment on function subledger.state_changes_as_of is 'The state changes that runs sealed by then wrote';
