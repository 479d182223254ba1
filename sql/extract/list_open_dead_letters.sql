-- The rows of these subscriptions' answers that were set aside and are not booked yet.
-- Grain: one row per open dead letter about a row. $1 keys
select
    letter.subscription_key, letter.transaction_id, letter.reason, letter.detail, letter.attempts, letter.created_at,
    last_run.logical_now as last_look_at
from subledger.dead_letters letter
join subledger.runs last_run on last_run.run_id = letter.last_run_id
where letter.subscription_key = any ($1::bigint[])
    and letter.resolved_at is null
    and letter.stage = 'transform'
    and letter.transaction_id is not null
order by letter.subscription_key, letter.transaction_id, letter.reason
