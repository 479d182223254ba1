-- Ends a run. Grain: one row, none where another process leads it now.
-- $1 run, $2 generation, $3 outcome, $4 counts, $5 why it failed; what was kept of that before stands
update subledger.runs set
    outcome = $3::text, finished_at = clock_timestamp(), counts = $4::jsonb, leased_until = null,
    failure = coalesce(failure, $5::text)
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
returning run_id
