-- Statements about sessions on the server: one that gives no answer is looked for over another, one that was lost is ended.
-- A session is its login's, also where that login works under another role (alter role … set role …), which may see neither when
-- it began nor what it does. So those that look at sessions do it as the login, which they are until the end of their transaction.
-- What set_config gives goes into the function that looks, which therefore runs after it.

-- name: own_session
-- Its process id, and when it began: process ids come again. Grain: one row
select own.pid, own.backend_start as started_at
from (select set_config('role', 'none', true) as role) login
cross join lateral pg_stat_get_activity(case when login.role = 'none' then pg_backend_pid() end) own

-- name: name_session
-- From now on its name in pg_stat_activity ends so, whatever it began with; the server cuts a name after 63 bytes.
-- Grain: one row. $1 the end of its name
select set_config(
    'application_name', left(regexp_replace(current_setting('application_name'), ' (run \d+\.\d+|host \d+:\d+)$', ''), 30) || $1::text, false
) as name

-- name: list_named_sessions
-- Other sessions with the database whose names end so, whosever they are. Grain: one row per such session. $1 the end of their names;
-- started_at is NULL where this login may not see whose it is
select activity.pid, activity.backend_start as started_at
from (select set_config('role', 'none', true) as role) login
cross join lateral pg_stat_get_activity(nullif(login.role, 'none')::integer) activity
where activity.datid = (select own.oid from pg_catalog.pg_database own where own.datname = current_database())
    and activity.pid <> pg_backend_pid()
    and right(activity.application_name, length($1::text)) = $1::text
order by activity.pid

-- name: list_silent_sessions
-- Those whose client has sent nothing for so long in the middle of a transaction: it is frozen, or its machine is gone. One that this
-- login may not look at is none of them. Grain: one row per such session. $1 the end of their names, $2 for how long (seconds)
select activity.pid, activity.backend_start as started_at
from (select set_config('role', 'none', true) as role) login
cross join lateral pg_stat_get_activity(nullif(login.role, 'none')::integer) activity
where activity.datid = (select own.oid from pg_catalog.pg_database own where own.datname = current_database())
    and activity.pid <> pg_backend_pid()
    and right(activity.application_name, length($1::text)) = $1::text
    and activity.xact_start is not null
    and (activity.state <> 'active' or activity.wait_event_type = 'Client')
    and activity.state_change < clock_timestamp() - $2::bigint * interval '1 second'
order by activity.pid

-- name: look_at_session
-- What a session does. is_silent: the server waits for its client. Grain: one row, none where it is gone. $1 its process id on
-- the server, $2 when it began
select
    coalesce(activity.state not in ('active', 'disabled'), true)
        or coalesce(activity.wait_event_type = 'Client', false) as is_silent,
    coalesce(activity.wait_event_type || ' ' || activity.wait_event, 'on the processor') as work
from (select set_config('role', 'none', true) as role) login
cross join lateral pg_stat_get_activity(case when login.role = 'none' then $1::integer end) activity
where activity.pid = $1::integer and activity.backend_start = $2::timestamptz

-- name: list_blockers
-- Who keeps a session waiting, as far as this login may see. Grain: one row per session that holds what it waits for, a prepared
-- transaction has none (process 0). $1 its process id on the server
select
    blocker.pid,
    case
        when blocker.pid = 0 then 'a prepared transaction'
        when blocking_user.usesysid is null then 'a process of the server'
        else pg_get_userbyid(blocking_user.usesysid)::text
    end as role,
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
from (select set_config('role', 'none', true) as role) login
cross join lateral unnest(pg_blocking_pids(case when login.role = 'none' then $1::integer end)) blocker (pid)
left join lateral pg_stat_get_activity(blocker.pid) blocking_user on true
order by blocker.pid

-- name: read_role
-- The role that the session works under, none: its login's. Grain: one row
select current_setting('role') as role

-- name: resume_role
-- The role that the session worked under before it looked at others, for the rest of the transaction. Grain: one row. $1 role
select set_config('role', $1::text, true) as role

-- name: end_session
-- Ends another session: what it has not committed locks nothing any more. Waits until it has ended. Grain: one row where it is
-- there still. $1 its process on the server, $2 when it began; is_ended is NULL where this login may not end it, or not see when it
-- began; is_own: it logged in as this session did
select
    coalesce(owner.rolname, 'unknown') as role, coalesce(owner.rolname = session_user, false) as is_own,
    case
        when activity.backend_start = $2::timestamptz
            and (pg_has_role(activity.usesysid, 'USAGE') or pg_has_role('pg_signal_backend'::name, 'USAGE'))
            and (current_setting('is_superuser') = 'on' or not coalesce(owner.rolsuper, true))
            then pg_terminate_backend(activity.pid, 5000)
    end as is_ended
from (select set_config('role', 'none', true) as role) login
cross join lateral pg_stat_get_activity(case when login.role = 'none' then $1::integer end) activity
left join pg_catalog.pg_roles owner on owner.oid = activity.usesysid
where activity.pid = $1::integer
    and activity.pid <> pg_backend_pid()
    and coalesce(activity.backend_start = $2::timestamptz, true)

-- name: limit_lock_wait
-- Who waits longer for a lock is sent away, until the end of the transaction or the next such statement. Grain: one row.
-- $1 how long at most; 0: as long as it takes
select set_config('lock_timeout', $1::text, true) as waiting
