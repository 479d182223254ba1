-- An app is stopped by its store: what was not asked stays due.
-- $1 run, $2 app, $3 why and what to do
update subledger.run_apps set state = 'stopped', reason = $3::text, closed_at = clock_timestamp()
where run_id = $1::bigint and app_id = $2::text and state = 'open'
