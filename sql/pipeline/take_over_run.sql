-- A dead leader's run gets a new leader; the old one's generation no longer holds.
-- Grain: one row, returned when the take-over succeeded. $1 run, $2 generation seen, $3 host, $4 process, $5 lease (s)
update subledger.runs set
    host = $3::text,
    process_id = $4::bigint,
    leader_generation = leader_generation + 1,
    leased_until = clock_timestamp() + $5::bigint * interval '1 second',
    failure = null
where run_id = $1::bigint and leader_generation = $2::bigint and outcome = 'running'
returning run_id, leader_generation
