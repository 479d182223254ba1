-- The leader is alive.
-- Grain: one row, returned while it still leads. $1 run, $2 generation, $3 lease (seconds)
update subledger.runs set leased_until = clock_timestamp() + $3::bigint * interval '1 second'
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
returning run_id
