-- Dead letters that are done with: about a row of an answer where this chunk books it, about a row that showed no id where its
-- subscription was read from the beginning, about a whole answer where its subscription was answered. What this run set aside
-- itself stays open, but for what an intake set aside beside it.
-- Grain: one row per dead letter. $1 run, $2 chunk, $3 the run's now, $4 app, $5 subscriptions whose rows were all read
with staged as (
    select subscription_key from subledger.stage_subscriptions where run_id = $1::bigint and chunk_no = $2::integer
),

booked as (
    select transaction_id from subledger.stage_transactions where run_id = $1::bigint and chunk_no = $2::integer
)

update subledger.dead_letters as stored set resolved_at = $3::timestamptz
where stored.app_id = $4::text
    and stored.resolved_at is null
    and (stored.last_run_id <> $1::bigint or stored.is_beside and stored.first_run_id = $1::bigint and $2::integer > 0)
    and case
        when stored.transaction_id is null then stored.subscription_key in (select subscription_key from staged)
        when stored.transaction_id = 'unidentified' then stored.subscription_key = any ($5::bigint[])
        else stored.transaction_id in (select transaction_id from booked)
    end
