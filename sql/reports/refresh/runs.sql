-- Statements about runs and their issues.

-- name: sealed_runs
-- The runs sealed after one seal, up to another. Grain: one row. $1 after seal, $2 through seal
select array(
    select run.run_id
    from subledger.runs run
    where run.seal > $1::bigint and run.seal <= $2::bigint
    order by run.run_id
) as run_ids

-- name: rate_runs
-- Of some runs those that brought exchange rates. Grain: one row. $1 runs
select array(
    select distinct rate.recorded_run_id from subledger.fx_rates rate where rate.recorded_run_id = any ($1::bigint[])
) as run_ids

-- name: last_issue
-- The last report that had been issued when a seal was given. Grain: one row, or none. $1 seal
select issued.seal, issued.business_date::text as business_date, issued.manifest_sha256
from subledger.report_issues issued
where issued.last_seal < $1::bigint
order by issued.seal desc
limit 1
