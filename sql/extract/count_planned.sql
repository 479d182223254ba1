-- What was planned for an app of a run.
-- Grain: one row. $1 run, $2 app
select count(*) as chunks, coalesce(sum(cardinality(subscription_keys)), 0) as due
from subledger.run_chunks
where run_id = $1::bigint and app_id = $2::text and not is_beside
