-- A leader gives its run up: it stays open without a lease, for the next run to resume or close.
-- Grain: one row. $1 run, $2 generation, $3 why
update subledger.runs set leased_until = null, failure = $3::text
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
