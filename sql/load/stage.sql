-- Statements about the staging of a chunk.

-- name: copy_subscriptions
-- Subscriptions as their check leaves them, into staging.
-- Grain: one row per subscription that was answered
copy subledger.stage_subscriptions (
    run_id, chunk_no, subscription_key, environment, state, state_raw, product_id, auto_renew, auto_renew_product_id,
    expires_at, grace_expires_at, ended_at, end_reason, history_cursor, source_version, occurred_at, answer_hash,
    next_check_at, next_check_reason, check_requests_seen, steps, committed_until, renewal_price_micros, renewal_currency
) from stdin

-- name: date_beside_transactions
-- Where answers are dated by the clock of the job that asked, what an intake books beside a night is no newer than the night, or
-- the night's own later answers would be refused as older ones. Grain: one row per transaction. $1 run, $2 chunk
update subledger.stage_transactions set
    source_version = least(source_version, (select logical_now from subledger.runs where run_id = $1::bigint))
where run_id = $1::bigint and chunk_no = $2::integer and subledger.is_answer_dated_by_job(store)

-- name: date_beside_subscriptions
-- The same of the states. Grain: one row per subscription. $1 run, $2 chunk
update subledger.stage_subscriptions as staged set
    source_version = least(staged.source_version, (select logical_now from subledger.runs where run_id = $1::bigint))
from subledger.subscriptions stored
where staged.run_id = $1::bigint
    and staged.chunk_no = $2::integer
    and stored.subscription_key = staged.subscription_key
    and subledger.is_answer_dated_by_job(stored.store)

-- name: count_staged
-- What staging holds of a chunk: it must be what was sent, or the chunk is not loaded.
-- Grain: one row. $1 run, $2 chunk
select
    (select count(*) from subledger.stage_transactions where run_id = $1::bigint and chunk_no = $2::integer)
        as transactions,
    (select count(*) from subledger.stage_subscriptions where run_id = $1::bigint and chunk_no = $2::integer)
        as subscriptions

-- name: count_stage_changes
-- Grain: one row. $1 run, $2 chunk
select count(*) as changes from subledger.stage_changes where run_id = $1::bigint and chunk_no = $2::integer

-- name: clear_stage_changes
-- Empties staging of a chunk, in the transaction that used it.
-- $1 run, $2 chunk
delete from subledger.stage_changes
where run_id = $1::bigint and chunk_no = $2::integer

-- name: clear_stage_keys
-- Lets go of a chunk's keys, in the transaction that held them: others go on when it has ended.
-- $1 run, $2 chunk
delete from subledger.stage_keys
where run_id = $1::bigint and chunk_no = $2::integer

-- name: clear_stage_subscriptions
-- Empties staging of a chunk, in the transaction that used it.
-- $1 run, $2 chunk
delete from subledger.stage_subscriptions
where run_id = $1::bigint and chunk_no = $2::integer

-- name: clear_stage_transactions
-- Empties staging of a chunk, in the transaction that used it.
-- $1 run, $2 chunk
delete from subledger.stage_transactions
where run_id = $1::bigint and chunk_no = $2::integer
