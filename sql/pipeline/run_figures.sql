-- What a run did, from what it wrote. What an intake met beside it is none of its checks, changes and dead letters.
-- Grain: one row. $1 run
with worked as (
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
        select count(*) from subledger.transactions
        where recorded_run_id = $1::bigint
            and kind in ('renewal', 'upgrade', 'downgrade', 'crossgrade', 'resubscribe', 'top_up')
    ) as renewed,
    (
        select count(*) from subledger.state_changes
        where run_id = $1::bigint and state in ('expired', 'revoked')
    ) as ended,
    (select count(*) from subledger.ledger_entries where run_id = $1::bigint and kind = 'refund') as refunded,
    (select count(*) from subledger.dead_letters where first_run_id = $1::bigint and not is_beside) as dead_letters
from worked
