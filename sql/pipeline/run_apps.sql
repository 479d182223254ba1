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

-- name: note_stop
-- Why its store stops an app: it is the run's, whichever process leads it. The first reason stays, unless a later one is its cause.
-- Grain: one row. $1 run, $2 app, $3 kind, $4 reason, $5 message, $6 it is the cause
update subledger.run_apps set
    failure = jsonb_build_object('kind', $3::text, 'reason', $4::text, 'message', $5::text)
where run_id = $1::bigint and app_id = $2::text and state = 'open' and (failure is null or $6::boolean)

-- name: note_spent
-- What a process has spent since it last said so. Grain: one row per app. $1 run, $2 apps, $3 calls, $4 retries, $5 time waited (ms)
update subledger.run_apps as stored set
    calls = stored.calls + spent.calls,
    retries = stored.retries + spent.retries,
    waited_ms = stored.waited_ms + spent.waited
from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as spent (app_id, calls, retries, waited)
where stored.run_id = $1::bigint and stored.app_id = spent.app_id

-- name: list_run_apps
-- What the processes that led a run before this one have said of its apps. Grain: one row per app. $1 run
select
    app_id, failure ->> 'kind' as stop_kind, failure ->> 'reason' as stop_reason, failure ->> 'message' as stop_message, calls,
    retries, waited_ms
from subledger.run_apps
where run_id = $1::bigint
order by app_id collate "C"
