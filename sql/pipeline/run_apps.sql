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
-- An app is stopped by its store: what was not asked stays due. Nothing where another process leads the run by now.
-- $1 run, $2 app, $3 why and what to do, $4 it has finished late, $5 generation of its leader
update subledger.run_apps set state = 'stopped', reason = $3::text, is_late = $4::boolean, closed_at = clock_timestamp()
where run_id = $1::bigint
    and app_id = $2::text
    and state = 'open'
    and exists (
        select from subledger.runs led
        where led.run_id = $1::bigint and led.leader_generation = $5::bigint and led.outcome = 'running'
    )

-- name: close_run_apps
-- $1 run
update subledger.run_apps set state = 'done', closed_at = clock_timestamp()
where run_id = $1::bigint and state = 'open'

-- name: note_stop
-- Why its store stops an app: it is the run's, whichever process leads it. The first reason stays, unless a later one is its cause.
-- Grain: one row, none where another process leads it by now. $1 run, $2 app, $3 kind, $4 reason, $5 message, $6 it is the cause,
-- $7 generation of its leader
update subledger.run_apps set
    failure = jsonb_build_object('kind', $3::text, 'reason', $4::text, 'message', $5::text)
where run_id = $1::bigint
    and app_id = $2::text
    and state = 'open'
    and (failure is null or $6::boolean)
    and exists (
        select from subledger.runs led
        where led.run_id = $1::bigint and led.leader_generation = $7::bigint and led.outcome = 'running'
    )

-- name: note_spent
-- What the processes of a run have spent in all. A row that planning has locked is left for the next time: what renews leases does
-- not wait. Grain: one row per app that was noted. $1 run, $2 apps, $3 calls, $4 retries, $5 time waited (ms)
update subledger.run_apps as stored set
    calls = greatest(stored.calls, spent.calls),
    retries = greatest(stored.retries, spent.retries),
    waited_ms = greatest(stored.waited_ms, spent.waited)
from (
    select part.run_id, part.app_id, given.calls, given.retries, given.waited
    from subledger.run_apps part
    join unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as given (app_id, calls, retries, waited)
        on given.app_id = part.app_id
    where part.run_id = $1::bigint
    for update of part skip locked
) spent
where stored.run_id = spent.run_id and stored.app_id = spent.app_id
returning stored.app_id

-- name: list_run_apps
-- What the processes that led a run before this one have said of its apps. Grain: one row per app. $1 run
select
    app_id, failure ->> 'kind' as stop_kind, failure ->> 'reason' as stop_reason, failure ->> 'message' as stop_message, calls,
    retries, waited_ms
from subledger.run_apps
where run_id = $1::bigint
order by app_id collate "C"
