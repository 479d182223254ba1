-- $1 run
update subledger.run_apps set state = 'done', closed_at = clock_timestamp()
where run_id = $1::bigint and state = 'open'
