-- Today's picture of the changed rows.
-- Grain: one row per changed transaction, in key order so that two workers never wait for each other in a circle.
-- $1 run, $2 chunk
insert into subledger.transactions as stored (
    recorded_run_id, changed_run_id, lineage_key, proceeds_source, {transaction}
)
select run_id, run_id, lineage_key, proceeds_source, {transaction}
from subledger.stage_changes
where run_id = $1::bigint and chunk_no = $2::integer
order by subscription_key, transaction_id, product_id
on conflict (subscription_key, transaction_id, product_id) do update set
    changed_run_id = excluded.changed_run_id,
    lineage_key = excluded.lineage_key,
    proceeds_source = excluded.proceeds_source,
    {transaction not key = excluded}
where stored.source_version <= excluded.source_version
