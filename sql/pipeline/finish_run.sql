-- $1 run, $2 outcome, $3 counts
update subledger.runs set
    outcome = $2::text, finished_at = clock_timestamp(), counts = $3::jsonb, leased_until = null
where run_id = $1::bigint and outcome = 'running'
