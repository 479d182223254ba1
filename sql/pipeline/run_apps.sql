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
-- That the time is over is so by the database's clock and for a leader that lives: a host that was frozen, or has none, knows nothing of
-- the time that the next leader has.
-- Grain: one row, none where it is not noted, as another process leads the run by now, or it is sealed. $1 run, $2 app, $3 kind,
-- $4 reason, $5 message, $6 it is the cause, $7 generation of its leader (NULL: a host notes it that does not lead)
update subledger.run_apps set
    failure = jsonb_build_object('kind', $3::text, 'reason', $4::text, 'message', $5::text)
where run_id = $1::bigint
    and app_id = $2::text
    and state = 'open'
    and (failure is null or $6::boolean)
    and exists (
        select from subledger.runs led
        where led.run_id = $1::bigint
            and led.leader_generation = coalesce($7::bigint, led.leader_generation)
            and led.outcome = 'running'
            and led.seal is null
            and (
                $4::text <> 'out_of_time'
                or $7::bigint is not null
                or (led.finish_by <= clock_timestamp() and led.leased_until > clock_timestamp())
            )
    )

-- name: list_stopped_apps
-- Apps of a run that are stopped, whichever host met why: one that has not learned of it yet claims no chunk that was handed back.
-- Grain: one row per app. $1 run
select app_id
from subledger.run_apps
where run_id = $1::bigint and failure is not null
order by app_id collate "C"

-- name: forget_time_over
-- A new leader has a time of its own: apps that had none left under the one before go on; what was stopped by then, its chunks abandoned,
-- stays so. Grain: one row per app. $1 run
update subledger.run_apps set failure = null
where run_id = $1::bigint and state = 'open' and failure ->> 'reason' = 'out_of_time'

-- name: note_waiting
-- How long the leader has waited for the stores of these apps while they were down; one leader after the other, the longest counts.
-- A row that somebody has locked is left for the next time: what renews leases does not wait.
-- Grain: one row per app. $1 run, $2 apps, $3 time waited (ms)
update subledger.run_apps as stored set waited_ms = greatest(stored.waited_ms, longer.waited)
from (
    select part.run_id, part.app_id, given.waited
    from subledger.run_apps part
    join unnest($2::text[], $3::bigint[]) as given (app_id, waited) on given.app_id = part.app_id
    where part.run_id = $1::bigint and part.waited_ms < given.waited
    for update of part skip locked
) longer
where stored.run_id = longer.run_id and stored.app_id = longer.app_id

-- name: list_run_apps
-- What is said of a run's apps by all its hosts, and what the others have spent and done.
-- Grain: one row per app of which there is anything to say. $1 run, $2 the host that asks
select
    part.app_id, part.failure ->> 'kind' as stop_kind, part.failure ->> 'reason' as stop_reason,
    part.failure ->> 'message' as stop_message, part.waited_ms, coalesce(others.calls, 0)::bigint as calls,
    coalesce(others.retries, 0)::bigint as retries, coalesce(others.checks, 0)::bigint as checks,
    coalesce(others.was_answered, false) as was_answered
from subledger.run_apps part
left join (
    select host.app_id, sum(host.calls) as calls, sum(host.retries) as retries, sum(host.checks) as checks,
        bool_or(host.was_answered) as was_answered
    from subledger.run_hosts host
    where host.run_id = $1::bigint and host.host_name <> $2::text
    group by host.app_id
) others on others.app_id = part.app_id
where part.run_id = $1::bigint and (part.failure is not null or part.waited_ms > 0 or others.app_id is not null)
order by part.app_id collate "C"
