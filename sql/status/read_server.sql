-- What a job meets on the server before it does anything: version, rights, and the settings that would take its promises away.
-- has_schemas: three schemas of our names are this role's already, so that it need make none. Grain: one row
select
    current_setting('server_version') as version, current_setting('server_encoding') as encoding,
    current_database()::text as database, current_user::text as role, session_user::text as login,
    pg_is_in_recovery() as is_standby,
    has_database_privilege(current_database(), 'create') as may_create,
    has_database_privilege(current_database(), 'temp') as has_temp,
    (
        select count(*) = 3
        from pg_catalog.pg_namespace home
        where home.nspname in ('subledger', 'marts', 'report') and pg_has_role(home.nspowner, 'usage')
    ) as has_schemas,
    clock_timestamp() as clock,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('session_replication_role') as session_replication_role,
    pg_database_size(current_database()) as bytes
