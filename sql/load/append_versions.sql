-- The full image of every changed row, for as-of views.
-- Grain: one row per changed transaction and run of the change. $1 run, $2 chunk, $3 the run's now
insert into subledger.transaction_versions (
    version, run_id, recorded_at, answer_hash, lineage_key, proceeds_source, {transaction}
)
select
    1 + coalesce((
        select max(earlier.version)
        from subledger.transaction_versions earlier
        where earlier.subscription_key = change.subscription_key
            and earlier.transaction_id = change.transaction_id
            and earlier.product_id = change.product_id
    ), 0),
    change.run_id, $3::timestamptz, change.answer_hash, change.lineage_key, change.proceeds_source, {change.transaction}
from subledger.stage_changes change
where change.run_id = $1::bigint and change.chunk_no = $2::integer
