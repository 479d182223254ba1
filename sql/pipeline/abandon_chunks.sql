-- $1 run, $2 apps
update subledger.run_chunks set state = 'abandoned', leased_by = null, leased_until = null
where run_id = $1::bigint and app_id = any ($2::text[]) and state in ('pending', 'leased')
