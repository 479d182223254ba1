-- Statements about sessions on the server: one that gives no answer is looked for over another, one that was lost is ended.

-- name: own_session
-- Its process id, and when it began: process ids come again. Grain: one row
select own.pid, own.backend_start as started_at
from pg_catalog.pg_stat_activity own
where own.pid = pg_backend_pid()

-- name: name_session
-- From now on its name in pg_stat_activity ends so, whatever it began with; the server cuts a name after 63 bytes.
-- Grain: one row. $1 the end of its name
select set_config(
    'application_name', left(regexp_replace(current_setting('application_name'), ' run \d+\.\d+$', ''), 30) || $1::text, false
) as name

-- name: list_named_sessions
-- Other sessions with the database whose names end so, whosever they are. Grain: one row per such session. $1 the end of their names;
-- started_at is NULL where this role may not see whose it is
select activity.pid, activity.backend_start as started_at
from pg_catalog.pg_stat_activity activity
where activity.datname = current_database()
    and activity.pid <> pg_backend_pid()
    and right(activity.application_name, length($1::text)) = $1::text
order by activity.pid

-- name: look_at_session
-- What a session does. is_silent: the server waits for its client. Grain: one row, none where it is gone. $1 its process id on
-- the server, $2 when it began
select
    coalesce(activity.state not in ('active', 'disabled'), true)
        or coalesce(activity.wait_event_type = 'Client', false) as is_silent,
    coalesce(activity.wait_event_type || ' ' || activity.wait_event, 'on the processor') as work
from pg_catalog.pg_stat_activity activity
where activity.pid = $1::integer and activity.backend_start = $2::timestamptz

-- name: list_blockers
-- Who keeps a session waiting, as far as this role may see. Grain: one row per session that holds what it waits for, a prepared
-- transaction has none (process 0). $1 its process id on the server
select
    blocker.pid,
    coalesce(blocking_user.usename, case when blocker.pid = 0 then 'a prepared transaction' else 'a process of the server' end)
        as role,
    coalesce(blocking_user.application_name, '') as application, coalesce(blocking_user.state, blocking_user.backend_type, '') as state,
    coalesce(to_char(blocking_user.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '') as since,
    coalesce((
        select string_agg(distinct format('%I.%I', home.nspname, named.relname), ', ')
        from pg_catalog.pg_locks wanted
        join pg_catalog.pg_locks stored
            on stored.locktype = wanted.locktype and stored.database = wanted.database and stored.relation = wanted.relation
        join pg_catalog.pg_class named on named.oid = wanted.relation
        join pg_catalog.pg_namespace home on home.oid = named.relnamespace
        where wanted.pid = $1::integer and not wanted.granted and stored.pid = blocking_user.pid and stored.granted
    ), '') as relations
from unnest(pg_blocking_pids($1::integer)) blocker (pid)
left join pg_catalog.pg_stat_activity blocking_user on blocking_user.pid = blocker.pid
order by blocker.pid

-- name: end_session
-- Ends another session: what it has not committed locks nothing any more. Waits until it has ended. Grain: one row where it is
-- there still. $1 its process on the server, $2 when it began; is_ended is NULL where this role may not end it, or not see when it began;
-- is_own: it logged in as this session did
select
    coalesce(activity.usename, 'unknown') as role, coalesce(activity.usename = session_user, false) as is_own,
    case
        when activity.backend_start = $2::timestamptz
            and (pg_has_role(activity.usesysid, 'USAGE') or pg_has_role('pg_signal_backend'::name, 'USAGE'))
            and (current_setting('is_superuser') = 'on' or not coalesce(owner.rolsuper, true))
            then pg_terminate_backend(activity.pid, 5000)
    end as is_ended
from pg_catalog.pg_stat_activity activity
left join pg_catalog.pg_roles owner on owner.oid = activity.usesysid
where activity.pid = $1::integer
    and activity.pid <> pg_backend_pid()
    and coalesce(activity.backend_start = $2::timestamptz, true)
