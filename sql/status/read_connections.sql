-- How many connections this role may have here, and how many of them others leave it now: the server's own, the role's and the
-- database's limit, of which the narrowest counts. This session is not counted. Grain: one row, the narrowest limit
select limits.kind, limits.most, greatest(limits.most - limits.taken, 0) as free
from pg_catalog.pg_roles own
cross join (
    -- Of another role's session no kind is to be seen; one of a client has a role and a database.
    select
        count(*) filter (where activity.usesysid is not null and activity.datid is not null) as of_server,
        count(*) filter (where activity.usename = session_user and activity.datid is not null) as of_role,
        count(*) filter (where activity.datname = current_database() and activity.usesysid is not null) as of_database
    from pg_catalog.pg_stat_activity activity
    where activity.pid <> pg_backend_pid()
) sessions
cross join lateral (
    values
        (
            1, 'server',
            current_setting('max_connections')::bigint
                - case when own.rolsuper then 0 else
                    current_setting('superuser_reserved_connections')::bigint
                        + coalesce(current_setting('reserved_connections', true)::bigint, 0)
                end,
            sessions.of_server
        ),
        (2, 'role', case when not own.rolsuper then nullif(own.rolconnlimit, -1) end::bigint, sessions.of_role),
        (
            3, 'database',
            case when not own.rolsuper then (
                select nullif(here.datconnlimit, -1) from pg_catalog.pg_database here where here.datname = current_database()
            ) end::bigint,
            sessions.of_database
        )
) limits (place, kind, most, taken)
where own.rolname = session_user and limits.most is not null
order by limits.most - limits.taken, limits.place
limit 1
