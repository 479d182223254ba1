-- Statements about the apps of a run.

-- name: open_run_apps
-- Grain: one row per app of a run. $1 run, $2 apps
insert into subledger.run_apps (run_id, app_id)
select $1::bigint, app_id from unnest($2::text[]) as app (app_id)

-- name: set_due
-- An app of a run is planned. Grain: one row. $1 run, $2 app, $3 due
update subledger.run_apps set due = $3::bigint
where run_id = $1::bigint and app_id = $2::text

-- name: stop_app
-- An app is stopped by its store: what was not asked stays due.
-- $1 run, $2 app, $3 why and what to do, $4 it has finished late
update subledger.run_apps set state = 'stopped', reason = $3::text, is_late = $4::boolean, closed_at = clock_timestamp()
where run_id = $1::bigint and app_id = $2::text and state = 'open'

-- name: close_run_apps
-- $1 run
update subledger.run_apps set state = 'done', closed_at = clock_timestamp()
where run_id = $1::bigint and state = 'open'
