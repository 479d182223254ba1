-- What a run did, from what it wrote. What an intake met and booked beside it is none of its checks, changes, figures and dead letters:
-- its rows are dated by its own clock, all others by the run's.
-- Grain: one row. $1 run
with run as (
    select run_id, logical_now from subledger.runs where run_id = $1::bigint
),

beside as (
    select distinct unnest(subscription_keys) as subscription_key
    from subledger.run_chunks
    where run_id = $1::bigint and is_beside
),

worked as (
    select
        coalesce(sum((counts ->> 'checked')::bigint), 0) as checked,
        coalesce(sum((counts ->> 'discovered')::bigint), 0) as discovered,
        coalesce(sum((counts ->> 'unread')::bigint), 0) as unread,
        coalesce(sum(changed), 0) as changed
    from subledger.run_chunks
    where run_id = $1::bigint and not is_beside
)

select
    (select coalesce(sum(due), 0) from subledger.run_apps where run_id = $1::bigint) as due,
    worked.checked, worked.discovered, worked.unread, worked.changed,
    (
        select count(*) from subledger.transactions sold
        where sold.recorded_run_id = $1::bigint
            and sold.kind in ('renewal', 'upgrade', 'downgrade', 'crossgrade', 'resubscribe', 'top_up')
            and not exists (
                select from beside
                join subledger.transaction_versions image on image.subscription_key = beside.subscription_key
                join run on run.run_id = image.run_id
                where beside.subscription_key = sold.subscription_key
                    and image.transaction_id = sold.transaction_id
                    and image.product_id = sold.product_id
                    and image.version = 1
                    and image.recorded_at <> run.logical_now
            )
    ) as renewed,
    (
        select count(*) from subledger.state_changes change
        join run on run.run_id = change.run_id and run.logical_now = change.recorded_at
        where change.state in ('expired', 'revoked')
    ) as ended,
    (
        select count(*) from subledger.ledger_entries entry
        join run on run.run_id = entry.run_id and run.logical_now = entry.recorded_at
        where entry.kind = 'refund'
    ) as refunded,
    (select count(*) from subledger.dead_letters where first_run_id = $1::bigint and not is_beside) as dead_letters
from worked
