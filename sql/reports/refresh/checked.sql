-- What the checks of a night look at row by row: what was written since the books were last found to close, and a thirtieth
-- of everything besides, another one each business date. Checks that compare totals of a report look at all of it.

-- Grain: one row per seal whose checks all passed, since they last failed or a definition last changed. No row: the next
-- checks look at everything.
drop table if exists report.checked cascade;
create table report.checked (
    seal bigint primary key
);

-- The subscriptions whose rows are looked at, with whole lineages; NULL: all. What the last night wrote is looked at again
-- by a report that is asked for after it, whatever was sealed between.
create or replace function report.subscriptions_to_check(seal bigint, business_date date) returns bigint[]
language sql stable
set jit = off
as $$
    with night as (
        select coalesce(max(run.seal), subscriptions_to_check.seal) as seal
        from subledger.runs run
        where run.job = 'nightly' and run.seal <= subscriptions_to_check.seal
    ),

    anchor as (
        select max(checked.seal) as seal from report.checked cross join night where checked.seal < night.seal
    ),

    -- Wherever a broken row may bear a key that no other table knows.
    known as (
        select subscription_key as key from subledger.subscriptions
        union
        select subscription_key from subledger.transactions
        union
        select subscription_key from subledger.transaction_versions
        union
        select subscription_key from subledger.ledger_entries
        union
        select subscription_key from subledger.state_changes
    ),

    wanted as (
        select unnest(report.reached_subscriptions(anchor.seal, subscriptions_to_check.seal)) as key
        from anchor
        union
        select known.key
        from known
        where abs(known.key) % 30 = abs(subscriptions_to_check.business_date - date '2000-01-01') % 30
    )

    select report.whole_lineages((select array_agg(wanted.key) from wanted))
    from anchor
    where anchor.seal is not null
$$;

comment on table report.checked is 'The seals whose checks all passed, since they last failed';
comment on column report.checked.seal is 'What runs sealed by then wrote was looked at';
comment on function report.subscriptions_to_check is 'Subscriptions whose rows the checks look at: written since the books last closed, and a thirtieth of all; NULL: all';
