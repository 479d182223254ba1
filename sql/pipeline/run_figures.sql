-- What a run did, from what it wrote.
-- Grain: one row. $1 run
select
    (select coalesce(sum(due), 0) from subledger.run_apps where run_id = $1::bigint) as due,
    (select coalesce(sum((counts ->> 'checked')::bigint), 0) from subledger.run_chunks where run_id = $1::bigint)
        as checked,
    (select coalesce(sum((counts ->> 'discovered')::bigint), 0) from subledger.run_chunks where run_id = $1::bigint)
        as discovered,
    (select coalesce(sum((counts ->> 'unread')::bigint), 0) from subledger.run_chunks where run_id = $1::bigint)
        as unread,
    (select coalesce(sum(changed), 0) from subledger.run_chunks where run_id = $1::bigint) as changed,
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
    (select count(*) from subledger.dead_letters where first_run_id = $1::bigint) as dead_letters
