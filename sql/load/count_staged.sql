-- What staging holds of a chunk: it must be what was sent, or the chunk is not loaded.
-- Grain: one row. $1 run, $2 chunk
select
    (select count(*) from subledger.stage_transactions where run_id = $1::bigint and chunk_no = $2::integer)
        as transactions,
    (select count(*) from subledger.stage_subscriptions where run_id = $1::bigint and chunk_no = $2::integer)
        as subscriptions
